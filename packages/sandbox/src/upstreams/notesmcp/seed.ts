import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';

export interface Participant {
  readonly name: string;
  readonly company: string;
  readonly email: string;
}

export interface Utterance {
  readonly second: number;
  readonly speaker: string;
  readonly text: string;
}

export interface Meeting {
  readonly id: string;
  readonly title: string;
  readonly startsAt: number;
  /** Participants of the meeting. The first one recorded the notes. */
  readonly participants: readonly Participant[];
  /** Summary in Markdown. */
  readonly summary: string;
  readonly privateNotes: string;
  readonly transcript: readonly Utterance[];
}

export interface Folder {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parentId: string | undefined;
  readonly meetingIds: readonly string[];
}

type Sketch = Pick<Meeting, 'title' | 'summary' | 'privateNotes'> & {
  readonly daysAgo: number;
  readonly utterances: readonly string[];
};

const DAY = 24 * 3600 * 1000;
const HOUR = 3600 * 1000;

const COLLEAGUES: readonly Participant[] = [
  { name: 'Mary Somerville', company: 'Orbit & Sons', email: 'mary@orbit.example' },
  { name: 'Katherine Johnson', company: 'Trajectory', email: 'katherine@trajectory.example' },
];

const SKETCHES: readonly Sketch[] = [
  {
    title: 'Launch review',
    daysAgo: 1,
    summary:
      '### Decisions\n- The launch moves to 9 December\n- Katherine checks the trajectory [again] before Friday\n\n### Open\n- Who writes the report?',
    privateNotes: 'Ask about the <budget> & the "plan B".',
    utterances: [
      'Shall we move the launch?',
      'To the 9th of December, yes.',
      'Then the report is due on the 2nd.',
    ],
  },
  {
    title: 'Budget & hiring <Q1>',
    daysAgo: 2,
    summary: '### Budget\n- The budget grows by 4 % if a < b\n- Two engineers join in January',
    privateNotes: 'Numbers are confidential.',
    utterances: ['The budget grows by four percent.', 'Two engineers, then.'],
  },
  {
    title: 'Interview: “analytical engines”',
    daysAgo: 5,
    summary: '### Candidate\n- Knows punched cards by heart 🃏\n- Starts on 1 March',
    privateNotes: '',
    utterances: ['How would you divide by zero?', 'I would not.'],
  },
  {
    title: 'Weekly sync',
    daysAgo: 8,
    summary: '### Progress\n- The engine passes its tests\n- The report is late',
    privateNotes: 'Short one.',
    utterances: ['The engine passes.', 'Good.'],
  },
  {
    title: 'Customer call with Orbit',
    daysAgo: 16,
    summary: '### Wishes\n- Orbit wants daily reports\n- Price stays as it is until June',
    privateNotes: 'Mary decides.',
    utterances: ['We would like daily reports.', 'That is possible.'],
  },
  {
    title: 'Kick-off',
    daysAgo: 75,
    summary: '### Goals\n- One working engine within a year\n- Budget of 12,000 pounds',
    privateNotes: 'The beginning of it all.',
    utterances: ['Welcome, everybody.', 'Let us begin.'],
  },
];

interface FolderSketch extends Pick<Folder, 'title' | 'description'> {
  /** Index of the parent folder in this list. */
  readonly parent?: number;
  /** Indexes of the folder's meetings. */
  readonly meetings: readonly number[];
}

const FOLDER_SKETCHES: readonly FolderSketch[] = [
  { title: 'Engine project', description: 'From the kick-off to the launch', meetings: [0, 3, 5] },
  { title: 'Customers & partners', description: '', meetings: [4] },
  { title: 'Reviews', description: 'Decisions before each launch', parent: 0, meetings: [0] },
];

const folderId = (index: number, person: Person) => uuidFrom(`folder ${index} of ${person.id}`);

export function seededFolders(person: Person): readonly Folder[] {
  return FOLDER_SKETCHES.map(({ title, description, parent, meetings }, index) => ({
    id: folderId(index, person),
    title,
    description,
    parentId: parent === undefined ? undefined : folderId(parent, person),
    meetingIds: meetings.map((meeting) => meetingId(meeting, person)),
  }));
}

const meetingId = (index: number, person: Person) => uuidFrom(`meeting ${index} of ${person.id}`);

export function seededMeetings(person: Person, now: number): readonly Meeting[] {
  const today = Math.floor(now / DAY) * DAY;
  const owner = { name: person.name, company: 'Example', email: person.email };
  return SKETCHES.map(({ daysAgo, utterances, ...sketch }, index) => ({
    ...sketch,
    id: meetingId(index, person),
    startsAt: today - daysAgo * DAY + 10 * HOUR,
    participants: [owner, ...COLLEAGUES.slice(index % COLLEAGUES.length)],
    transcript: utterances.map((text, position) => ({
      second: 15 + position * 6,
      speaker: position % 2 === 0 ? 'Me' : 'Them',
      text,
    })),
  }));
}

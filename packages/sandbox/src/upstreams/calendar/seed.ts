import type { Clock } from '../../clock.js';
import { uuidFrom } from '../../identifiers.js';
import type { Person } from '../../person.js';
import { DAY, formatDate } from '../../zoned-time.js';
import { type CalendarRecord, type CalendarState, createState, type Fields, ownerRule } from './state.js';
import { newEvent } from './write-event.js';

const ZONES: Readonly<Record<string, string>> = { ada: 'Europe/London', grace: 'America/New_York' };
const HOST = { email: 'charles@example.com', displayName: 'Charles Babbage' };

export function seededState(person: Person, clock: Clock): CalendarState {
  const state = createState(person, clock);
  const zone = ZONES[person.id] ?? 'UTC';
  const [primary, team, holidays] = calendarsOf(person).map((calendar) =>
    addCalendar(state, { timeZone: zone, ...calendar }),
  );
  const now = clock.now();
  addEvents(state, primary, ownEvents(now, zone));
  addEvents(state, team, teamEvents(now, zone));
  addEvents(state, holidays, publicHolidays());
  // The seeded person is an attendee of this event, not the organizer, so that tests can respond to an invitation.
  const planning = primary?.events.get('seedplanning');
  const attendees = [
    { ...HOST, responseStatus: 'accepted' },
    { email: person.email, responseStatus: 'needsAction' },
  ];
  if (planning !== undefined) {
    const invitation = {
      ...planning,
      fields: { ...planning.fields, attendees },
      creator: HOST,
      organizer: HOST,
    };
    primary?.events.set(planning.id, invitation);
  }
  return state;
}

type NewCalendar = Pick<CalendarRecord, 'id' | 'summary' | 'color'> & Partial<CalendarRecord>;

function calendarsOf(person: Person): NewCalendar[] {
  const hex = uuidFrom(`team calendar of ${person.id}`).replaceAll('-', '');
  return [
    {
      id: person.email,
      summary: person.email,
      isPrimary: true,
      color: { id: '14', background: '#9fe1e7' },
      labels: LABELS,
      workingHours: WORKING_HOURS,
    },
    {
      id: `c_${hex}@group.calendar.google.com`,
      summary: 'Team',
      description: 'What the team does together',
      color: { id: '17', background: '#9a9cff' },
    },
    {
      id: 'en.uk#holiday@group.v.calendar.google.com',
      summary: 'Holidays in the United Kingdom',
      accessRole: 'reader',
      color: { id: '8', background: '#16a765' },
    },
    {
      id: `archive_${person.id}@group.calendar.google.com`,
      summary: 'Archive',
      isHidden: true,
      color: { id: '19', background: '#c2c2c2' },
    },
  ];
}

const LABELS = [
  { id: '42617328-8756-4291-8273-192837465647', backgroundColor: '#039be5', name: 'Important project' },
];
const WORKING_HOURS = {
  workingHoursEnabled: true,
  availableTimes: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((dayOfWeek) => ({
    dayOfWeek,
    periodStart: 9 * 60,
    periodEnd: 17 * 60,
  })),
};

function addCalendar(state: CalendarState, calendar: NewCalendar & { timeZone: string }): CalendarRecord {
  const defaults = {
    accessRole: 'owner',
    isPrimary: false,
    isHidden: false,
    updated: state.now(),
    listChange: 0,
  } as const;
  const record: CalendarRecord = { ...defaults, events: new Map(), rules: new Map(), ...calendar };
  record.rules.set(...ownerRule(state.person.email));
  state.calendars.set(record.id, record);
  return record;
}

function addEvents(
  state: CalendarState,
  calendar: CalendarRecord | undefined,
  events: Readonly<Record<string, Fields>>,
): void {
  for (const [id, body] of Object.entries(events))
    calendar?.events.set(id, newEvent(state, calendar, { id, body }));
}

type Events = Readonly<Record<string, Fields>>;

function ownEvents(now: number, zone: string): Events {
  const monday = startOfWeek(now);
  return {
    seedlunch: {
      summary: 'Lunch with Charles',
      location: 'The Engine',
      ...between(monday + DAY, ['12:30', '13:30'], zone),
    },
    seedstandup: {
      summary: 'Stand-up',
      recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR'],
      ...between(monday, ['09:30', '09:45'], zone),
    },
    seedplanning: {
      summary: 'Planning with Charles',
      ...between(monday + 3 * DAY, ['15:00', '16:00'], zone),
    },
    seedconference: { summary: 'Conference', ...days(monday + 9 * DAY, 2) },
  };
}

function teamEvents(now: number, zone: string): Events {
  return {
    seedteam: { summary: 'Review', ...between(startOfWeek(now) + 4 * DAY, ['14:00', '15:00'], zone) },
  };
}

function publicHolidays(): Events {
  const christmas = days(Date.UTC(2026, 11, 25), 1);
  return {
    seedchristmas: {
      summary: 'Christmas Day',
      recurrence: ['RRULE:FREQ=YEARLY'],
      transparency: 'transparent',
      ...christmas,
    },
  };
}

function startOfWeek(now: number): number {
  const day = Math.floor(now / DAY) * DAY;
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
}

function between(day: number, [from, to]: readonly [string, string], timeZone: string): Fields {
  const at = (time: string) => ({ dateTime: `${formatDate(day)}T${time}:00`, timeZone });
  return { start: at(from), end: at(to) };
}

function days(first: number, count: number): Fields {
  return { start: { date: formatDate(first) }, end: { date: formatDate(first + count * DAY) } };
}

import type { Person } from '../../person.js';
import { type Folder, type Meeting, seededFolders, seededMeetings } from './seed.js';

export interface NotesAccount {
  readonly person: Person;
  readonly plan: 'free' | 'paid';
  readonly meetings: readonly Meeting[];
  /** Folders of the account. Empty on the free plan. */
  readonly folders: readonly Folder[];
  now(): number;
}

const FREE_HISTORY = 30 * 24 * 3600 * 1000;
const PAYING = 'ada';

/** Creates the notes account of a person. The free plan shows only meetings of the last 30 days and no folders. */
export function createAccount(person: Person, now: () => number): NotesAccount {
  const meetings = seededMeetings(person, now());
  if (person.id === PAYING) return { person, plan: 'paid', meetings, folders: seededFolders(person), now };
  const recent = meetings.filter(({ startsAt }) => startsAt >= now() - FREE_HISTORY);
  return { person, plan: 'free', meetings: recent, folders: [], now };
}

import type { Person } from '../../person.js';
import { type Meeting, seededMeetings } from './seed.js';

export interface NotesAccount {
  readonly person: Person;
  readonly plan: 'free' | 'paid';
  readonly meetings: readonly Meeting[];
  now(): number;
}

const FREE_HISTORY = 30 * 24 * 3600 * 1000;
const PAYING = 'ada';

/** The free plan shows the last 30 days. */
export function createAccount(person: Person, now: () => number): NotesAccount {
  const meetings = seededMeetings(person, now());
  if (person.id === PAYING) return { person, plan: 'paid', meetings, now };
  const recent = meetings.filter(({ startsAt }) => startsAt >= now() - FREE_HISTORY);
  return { person, plan: 'free', meetings: recent, now };
}

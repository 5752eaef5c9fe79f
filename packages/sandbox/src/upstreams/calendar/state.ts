import type { Clock } from '../../clock.js';
import type { Person } from '../../person.js';

/** One end of an event, as it was given. */
export interface EventTime {
  readonly date?: string;
  readonly dateTime?: string;
  readonly timeZone?: string;
}

export type Fields = Record<string, unknown>;

export interface EventRecord {
  readonly id: string;
  /** The resource without what the service computes. */
  fields: Fields;
  start: EventTime;
  end: EventTime;
  status: 'confirmed' | 'tentative' | 'cancelled';
  sequence: number;
  readonly created: number;
  updated: number;
  /** When it changed, counted over all events: the base of sync tokens and etags. */
  change: number;
  readonly creator: Fields;
  readonly organizer: Fields;
  /** Of an exception in a series. */
  readonly recurringEventId?: string;
  readonly originalStart?: EventTime;
  /** Of an exception: the place in the series that it stands for. */
  readonly originalWall?: number;
  /** The meeting room is still being made; the next answer has it. */
  conferencePending: boolean;
}

export interface CalendarRecord {
  readonly id: string;
  summary: string;
  description?: string;
  location?: string;
  timeZone: string;
  readonly accessRole: 'freeBusyReader' | 'reader' | 'writer' | 'owner';
  readonly isPrimary: boolean;
  isHidden: boolean;
  color: { readonly id: string; readonly background: string };
  /** What the person's own list has of it: its name there, whether it is shown, reminders. */
  listing?: Fields;
  /** Who may do what, by the ids of the rules. */
  readonly rules: Map<string, Fields>;
  readonly events: Map<string, EventRecord>;
  /** When it changed last, for its etag. */
  updated: number;
  /** When its entry in the list changed, counted as the changes of events are. */
  listChange: number;
}

/** One person's calendars. */
export type CalendarState = ReturnType<typeof createState>;

export function createState(person: Person, clock: Clock) {
  let change = 0;
  return {
    person,
    calendars: new Map<string, CalendarRecord>(),
    /** Those that left the list. */
    gone: new Map<string, CalendarRecord>(),
    now: clock.now,
    nextChange: () => ++change,
    lastChange: () => change,
  };
}

/** Marks a change: new time, new etag, new place in the order of changes. */
export function touch(state: CalendarState, calendar: CalendarRecord, event: EventRecord): void {
  event.updated = state.now();
  event.change = state.nextChange();
  calendar.updated = event.updated;
}

/** Marks a change of the entry that a calendar has in the list. */
export function touchEntry(state: CalendarState, calendar: CalendarRecord): void {
  calendar.updated = state.now();
  calendar.listChange = state.nextChange();
}

/** Takes a calendar off the list. */
export function removeCalendar(state: CalendarState, calendar: CalendarRecord): void {
  state.calendars.delete(calendar.id);
  state.gone.set(calendar.id, calendar);
  touchEntry(state, calendar);
}

/** The id that an event has outside of the service too; instances have that of their series. */
export const iCalUIDOf = ({ fields, recurringEventId, id }: EventRecord): string =>
  typeof fields.iCalUID === 'string' ? fields.iCalUID : `${recurringEventId ?? id}@google.com`;

export const etagOf = (updated: number, change: number): string =>
  `"${updated}${String(change).padStart(4, '0')}"`;

/** The rule that makes a person the owner of a calendar. */
export function ownerRule(email: string): [id: string, rule: Fields] {
  const id = `user:${email}`;
  return [id, { id, scope: { type: 'user', value: email }, role: 'owner' }];
}

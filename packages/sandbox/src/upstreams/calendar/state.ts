import type { Clock } from '../../clock.js';
import type { Person } from '../../person.js';

export interface EventTime {
  readonly date?: string;
  readonly dateTime?: string;
  readonly timeZone?: string;
}

export type Fields = Record<string, unknown>;

export interface EventRecord {
  readonly id: string;
  /** Stored event fields, without the fields that the service computes. */
  fields: Fields;
  start: EventTime;
  end: EventTime;
  status: 'confirmed' | 'tentative' | 'cancelled';
  sequence: number;
  readonly created: number;
  updated: number;
  /** Number of the last change, counted over all events. Sync tokens and etags are derived from it. */
  change: number;
  readonly creator: Fields;
  readonly organizer: Fields;
  readonly recurringEventId?: string;
  readonly originalStart?: EventTime;
  /** Original start of an exception in its series, as local time. */
  readonly originalWall?: number;
  /**
   * True until the first response, because the video conference is created in the background. Later responses contain
   * it.
   */
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
  listing?: Fields;
  /** Labels that events of this calendar may use. */
  labels?: readonly Fields[];
  workingHours?: Fields;
  readonly rules: Map<string, Fields>;
  readonly events: Map<string, EventRecord>;
  updated: number;
  listChange: number;
}

export type CalendarState = ReturnType<typeof createState>;

export function createState(person: Person, clock: Clock) {
  let change = 0;
  return {
    person,
    calendars: new Map<string, CalendarRecord>(),
    removed: new Map<string, CalendarRecord>(),
    now: clock.now,
    nextChange: () => ++change,
    lastChange: () => change,
  };
}

export function touch(state: CalendarState, calendar: CalendarRecord, event: EventRecord): void {
  event.updated = state.now();
  event.change = state.nextChange();
  calendar.updated = event.updated;
}

export function touchEntry(state: CalendarState, calendar: CalendarRecord): void {
  calendar.updated = state.now();
  calendar.listChange = state.nextChange();
}

export function removeCalendar(state: CalendarState, calendar: CalendarRecord): void {
  state.calendars.delete(calendar.id);
  state.removed.set(calendar.id, calendar);
  touchEntry(state, calendar);
}

/**
 * Returns the iCalendar UID, which identifies an event across calendar systems. Instances share the UID of their
 * series.
 */
export const iCalUIDOf = ({ fields, recurringEventId, id }: EventRecord): string =>
  typeof fields.iCalUID === 'string' ? fields.iCalUID : `${recurringEventId ?? id}@google.com`;

export const etagOf = (updated: number, change: number): string =>
  `"${updated}${String(change).padStart(4, '0')}"`;

export function ownerRule(email: string): [id: string, rule: Fields] {
  const id = `user:${email}`;
  return [id, { id, scope: { type: 'user', value: email }, role: 'owner' }];
}

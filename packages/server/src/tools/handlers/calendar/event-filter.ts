import { ServiceError } from '../../../errors.js';
import type { CalendarGetEventByIdInput } from '../../../generated/handlers.js';
import { type EventTime, type StoredEvent, textsOf } from './stored-event.js';
import { instantOf, parseDateTime } from './time.js';

/** Conditions that a calendar event has to meet, such as a minimum time or a text that it contains. */
export type EventFilter = Omit<CalendarGetEventByIdInput, 'calendar_id' | 'event_id' | 'single_events'>;

/**
 * Checks one filter condition. Returns why the event does not meet it, or `undefined` if the event meets the condition.
 */
type Check = (event: StoredEvent, filter: EventFilter) => string | undefined;

const CHECKS: Readonly<Record<keyof EventFilter, Check>> = {
  show_deleted: deletion,
  event_types: eventType,
  updated_min: lastChange,
  time_min: ending,
  time_max: beginning,
  query: wording,
};

/** Throws not_found with the reason if the event does not meet a filter condition. */
export function refuseExcluded(event: StoredEvent, filter: EventFilter): void {
  for (const [name, check] of Object.entries(CHECKS)) {
    const reason = check(event, filter);
    if (reason !== undefined)
      throw new ServiceError(
        'not_found',
        `The event exists, but ${reason}. ${name === 'show_deleted' ? 'Set the input "show_deleted" to true' : `Change or omit the input "${name}"`}.`,
        {
          filter: name,
        },
      );
  }
}

function deletion({ stored }: StoredEvent, { show_deleted }: EventFilter) {
  if (stored['status'] !== 'cancelled' || show_deleted === true) return undefined;
  return 'it was deleted and show_deleted is not true';
}

function eventType({ stored }: StoredEvent, { event_types }: EventFilter) {
  const { eventType = 'default' } = textsOf(stored, ['eventType']);
  if (event_types === undefined || event_types.some((type) => type === eventType)) return undefined;
  return `event_types does not list its type, "${eventType}"`;
}

function lastChange({ stored }: StoredEvent, { updated_min }: EventFilter) {
  const { updated } = textsOf(stored, ['updated']);
  const changed = instantOfText(updated);
  const bound = instantOfText(updated_min);
  if (changed === undefined || bound === undefined || changed >= bound) return undefined;
  return `it was last changed at ${updated}, before updated_min`;
}

// Checks the condition `time_min`. Excludes an event that ends exactly at that time, like the calendar's list of events
// does. Never excludes a recurring event, because its stored end is the end of its first occurrence.
function ending({ end, isSeries }: StoredEvent, { time_min }: EventFilter) {
  const ends = instantOfEventTime(end);
  const bound = instantOfText(time_min);
  if (isSeries || ends === undefined || bound === undefined || ends > bound) return undefined;
  return 'it does not end after time_min';
}

function beginning({ start }: StoredEvent, { time_max }: EventFilter) {
  const begins = instantOfEventTime(start);
  const bound = instantOfText(time_max);
  if (begins === undefined || bound === undefined || begins < bound) return undefined;
  return 'it does not begin before time_max';
}

function wording({ stored, attendees }: StoredEvent, { query }: EventFilter) {
  const people = [stored['organizer'], ...attendees.map((attendee) => attendee.stored)];
  const texts = [
    ...Object.values(textsOf(stored, ['summary', 'description', 'location'])),
    ...people.flatMap((person) => Object.values(textsOf(person, ['displayName', 'email']))),
  ];
  const wanted = query?.toLowerCase() ?? '';
  if (wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted))) return undefined;
  return 'none of its texts or people matches the query';
}

function instantOfEventTime({ date, dateTime, timeZone = 'UTC' }: EventTime): number | undefined {
  return instantOfText(date === undefined ? dateTime : `${date}T00:00:00`, timeZone);
}

function instantOfText(text: string | undefined, timeZone?: string): number | undefined {
  if (text === undefined) return undefined;
  const time = parseDateTime(text);
  return time && instantOf(time, timeZone);
}

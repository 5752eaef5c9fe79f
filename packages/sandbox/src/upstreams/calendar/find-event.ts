import { conditionNotMet, notFound } from '../../google/api-error.js';
import type { Call } from './call.js';
import { findInstance, isSeries } from './series.js';
import { type CalendarRecord, type EventRecord, etagOf } from './state.js';

/** The event of the path: a single one, a series, or an instance by its own id. */
export function findEvent(calendar: CalendarRecord, id: string): EventRecord {
  const found = calendar.events.get(id) ?? findInstance(calendar, id);
  if (found === undefined) throw notFound();
  return found;
}

/** If-Match: the event has to be as the caller last saw it. */
export function checkMatch(call: Call, event: EventRecord): void {
  const wanted = call.header('if-match');
  if (wanted === undefined || wanted === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(event.updated, event.change))) throw conditionNotMet();
}

/** An instance that is about to change becomes an event of its own in the calendar. */
export function storedEvent(calendar: CalendarRecord, event: EventRecord): EventRecord {
  const known = calendar.events.get(event.id);
  if (known !== undefined) return known;
  const exception = { ...event, fields: structuredClone(event.fields) };
  calendar.events.set(exception.id, exception);
  return exception;
}

/** Cancels an event; with a series go all its exceptions. */
export function cancelEvent(
  calendar: CalendarRecord,
  event: EventRecord,
  mark: (event: EventRecord) => void,
): void {
  const gone = isSeries(event)
    ? [...calendar.events.values()].filter(({ recurringEventId }) => recurringEventId === event.id)
    : [];
  for (const one of [event, ...gone]) {
    one.status = 'cancelled';
    mark(one);
  }
}

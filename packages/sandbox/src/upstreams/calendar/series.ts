import { conditionNotMet, notFound } from '../../google/api-error.js';
import { existing } from '../../refusal.js';
import { basicFormat, DAY, formatDate, instantOf, parseDate } from '../../zoned-time.js';
import type { Call } from './call.js';
import { isAllDay, momentOf, spanOf, timeAt, wallStart, zoneOf } from './event-times.js';
import { parseRecurrence, seriesStarts } from './recurrence.js';
import { type CalendarRecord, type EventRecord, etagOf } from './state.js';

function recurrenceLines({ fields }: EventRecord): string[] {
  return Array.isArray(fields.recurrence) ? fields.recurrence.filter((line) => typeof line === 'string') : [];
}

export const isSeries = (event: EventRecord): boolean => recurrenceLines(event).length > 0;

export function instancesOf(master: EventRecord, calendar: CalendarRecord, before: number): EventRecord[] {
  const recurrence = parseRecurrence(recurrenceLines(master));
  if (recurrence === undefined) return [];
  const zone = isAllDay(master) ? 'UTC' : zoneOf(master, calendar);
  const walls = seriesStarts({ recurrence, firstWall: wallStart(master, calendar), zone }, before + DAY);
  return walls
    .map((wall) => instanceAt(master, calendar, wall))
    .filter((instance) => spanOf(instance, calendar).from < before);
}

function instanceAt(master: EventRecord, calendar: CalendarRecord, wall: number): EventRecord {
  const id = instanceId(master, calendar, wall);
  const exception = calendar.events.get(id);
  if (exception !== undefined) return exception;
  const allDay = isAllDay(master);
  const zone = allDay ? 'UTC' : zoneOf(master, calendar);
  const from = instantOf(wall, zone);
  const length = allDay
    ? dayLength(master)
    : momentOf(master.end, calendar.timeZone) - momentOf(master.start, calendar.timeZone);
  const { recurrence: _recurrence, ...fields } = master.fields;
  const start = timeAt(master.start, from, zone);
  return {
    ...master,
    id,
    fields,
    start,
    end: timeAt(master.end, from + length, zone),
    recurringEventId: master.id,
    originalStart: start,
    originalWall: wall,
  };
}

function dayLength({ start, end }: EventRecord): number {
  return (parseDate(end.date ?? '') ?? 0) - (parseDate(start.date ?? '') ?? 0);
}

function instanceId(master: EventRecord, calendar: CalendarRecord, wall: number): string {
  if (isAllDay(master)) return `${master.id}_${formatDate(wall).replaceAll('-', '')}`;
  return `${master.id}_${basicFormat(instantOf(wall, zoneOf(master, calendar)))}`;
}

/** Finds the instance of a series by an id such as `abc_20261201T090000Z`. */
function findInstance(calendar: CalendarRecord, id: string): EventRecord | undefined {
  const [, masterId = '', stamp = ''] = /^(.+)_(\d{8}(?:T\d{6}Z)?)$/.exec(id) ?? [];
  const master = calendar.events.get(masterId);
  if (master === undefined || !isSeries(master)) return undefined;
  const day = Date.parse(`${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}T00:00:00Z`);
  if (Number.isNaN(day)) return undefined;
  return instancesOf(master, calendar, day + 2 * DAY).find((instance) => instance.id === id);
}

export const findEvent = (calendar: CalendarRecord, id: string): EventRecord =>
  existing(calendar.events.get(id) ?? findInstance(calendar, id), notFound);

/** Checks the If-Match header: throws unless the event still has the caller's etag. */
export function checkMatch(call: Call, event: EventRecord): void {
  const wanted = call.header('if-match');
  if (wanted === undefined || wanted === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(event.updated, event.change))) throw conditionNotMet();
}

export function storedEvent(calendar: CalendarRecord, event: EventRecord): EventRecord {
  const known = calendar.events.get(event.id);
  if (known !== undefined) return known;
  const exception = { ...event, fields: structuredClone(event.fields) };
  calendar.events.set(exception.id, exception);
  return exception;
}

/** Cancels an event. Cancelling a series also cancels all its exceptions. */
export function cancelEvent(
  calendar: CalendarRecord,
  event: EventRecord,
  mark: (event: EventRecord) => void,
): void {
  const instances = isSeries(event)
    ? [...calendar.events.values()].filter(({ recurringEventId }) => recurringEventId === event.id)
    : [];
  for (const one of [event, ...instances]) {
    one.status = 'cancelled';
    mark(one);
  }
}

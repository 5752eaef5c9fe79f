import { isObject } from '../../json.js';
import { type Span, spanOf } from './event-times.js';
import { instancesOf, isSeries } from './series.js';
import { type CalendarRecord, type EventRecord, iCalUIDOf } from './state.js';

export interface Filter {
  readonly timeMin: number | undefined;
  readonly timeMax: number | undefined;
  readonly updatedMin: number | undefined;
  /** Only what changed after this. */
  readonly since: number | undefined;
  readonly query: string | undefined;
  readonly iCalUID: string | undefined;
  readonly eventTypes: readonly string[];
  readonly privateProperties: readonly string[];
  readonly sharedProperties: readonly string[];
}

export function eventFilter(filter: Filter, calendar: CalendarRecord): (event: EventRecord) => boolean {
  return (event) =>
    isInTime(event, calendar, filter) &&
    (filter.since === undefined || event.change > filter.since) &&
    (filter.updatedMin === undefined || event.updated >= filter.updatedMin) &&
    (filter.query === undefined || hasWords(event, filter.query)) &&
    (filter.iCalUID === undefined || iCalUIDOf(event) === filter.iCalUID) &&
    (filter.eventTypes.length === 0 ||
      filter.eventTypes.includes(String(event.fields.eventType ?? 'default'))) &&
    hasProperties(event, 'private', filter.privateProperties) &&
    hasProperties(event, 'shared', filter.sharedProperties);
}

// timeMin looks at the end and timeMax at the start; both bounds are outside of the range.
function isInTime(event: EventRecord, calendar: CalendarRecord, { timeMin, timeMax }: Filter): boolean {
  if (timeMin === undefined && timeMax === undefined) return true;
  const fits = ({ from, to }: Span) =>
    (timeMin === undefined || to > timeMin) && (timeMax === undefined || from < timeMax);
  if (!isSeries(event)) return fits(spanOf(event, calendar));
  // An instance after the lower bound is enough; a year beyond it is far enough to find one.
  const before = timeMax ?? Math.max(timeMin ?? 0, spanOf(event, calendar).from) + YEAR;
  return instancesOf(event, calendar, before).some((instance) => fits(spanOf(instance, calendar)));
}

const YEAR = 366 * 24 * 3600 * 1000;

function hasWords({ fields, organizer }: EventRecord, query: string): boolean {
  const guests = Array.isArray(fields.attendees) ? fields.attendees.filter(isObject) : [];
  const people = [...guests, organizer].flatMap(({ displayName, email }) => [displayName, email]);
  const text = [fields.summary, fields.description, fields.location, ...people].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function hasProperties(
  { fields }: EventRecord,
  kind: 'private' | 'shared',
  wanted: readonly string[],
): boolean {
  const all = isObject(fields.extendedProperties) ? fields.extendedProperties[kind] : undefined;
  return wanted.every((pair) => {
    const equals = pair.indexOf('=');
    return isObject(all) && all[pair.slice(0, equals)] === pair.slice(equals + 1);
  });
}

import { badRequest } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { readPageChange, writePageToken } from '../../google/page-token.js';
import type { Parameters } from '../../google/parameters.js';
import { isObject } from '../../json.js';
import { DAY, isZone } from '../../zoned-time.js';
import { timeRangeEmpty, updatedMinTooLongAgo } from './api-error.js';
import { DEFAULT_REMINDERS } from './calendar-list.js';
import type { Call } from './call.js';
import { type Span, spanOf } from './event-times.js';
import { presentCancelledInstance, presentEvent } from './present-event.js';
import { instancesOf, isSeries } from './series.js';
import {
  type CalendarRecord,
  type CalendarState,
  type EventRecord,
  etagOf,
  type Fields,
  iCalUIDOf,
} from './state.js';
import { readOffset, readSyncToken, writeSyncToken } from './tokens.js';

/** Limit for expanding an endless series, in milliseconds from now. Applies to requests without `timeMax`. */
const HORIZON = 2 * 365 * DAY;

export const MOST = 2500;

export function listEvents(call: Call): Outcome {
  const { state, parameters } = call;
  const calendar = call.calendar();
  const size = Math.min(MOST, parameters.integer('maxResults', 250));
  const order = parameters.choice('orderBy', ['startTime', 'updated']);
  const isExpanded = parameters.flag('singleEvents') ?? false;
  if (order === 'startTime' && !isExpanded)
    throw badRequest('The requested ordering is not available for the particular query.');
  const filter = readFilter(call);
  const isMatch = eventFilter(filter, calendar);
  const candidates = isExpanded
    ? expanded(calendar, filter.timeMax ?? state.now() + HORIZON)
    : [...calendar.events.values()];
  const isListed = (event: EventRecord) => isVisible(event, calendar, { filter, isExpanded });
  // Events that were cancelled after the first page still count as positions, so that offsets of later pages stay
  // correct.
  const began = startOf(call);
  const events = candidates.filter((event) => isListed(event) || event.change > began).filter(isMatch);
  if (order === 'startTime')
    events.sort((a, b) => spanOf(a, calendar).from - spanOf(b, calendar).from || a.id.localeCompare(b.id));
  if (order === 'updated') events.sort((a, b) => a.updated - b.updated || a.change - b.change);
  return { body: envelope(call, { calendar, events, size, isListed, syncs: filter.syncs }) };
}

const startOf = ({ state, parameters }: Pick<Call, 'state' | 'parameters'>): number =>
  readPageChange(parameters.text('pageToken')) ?? state.lastChange();

interface ListFilter extends Filter {
  readonly showDeleted: boolean;
  readonly syncs: boolean;
}

/** Query parameters that prevent a sync token in the response. */
const UNFOLLOWED = 'iCalUID orderBy privateExtendedProperty q sharedExtendedProperty updatedMin'.split(' ');
/**
 * Query parameters that a sync request must not contain. The first request may set time bounds, but a sync reports
 * every change.
 */
const NO_SYNC = [...UNFOLLOWED, 'timeMin', 'timeMax'];

function readFilter({ state, parameters }: Call): ListFilter {
  const [timeMin, timeMax, updatedMin] = ['timeMin', 'timeMax', 'updatedMin'].map((name) =>
    parameters.time(name),
  );
  if (timeMin !== undefined && timeMax !== undefined && timeMax <= timeMin) throw timeRangeEmpty();
  if (updatedMin !== undefined && state.now() - updatedMin > 30 * DAY) throw updatedMinTooLongAgo();
  const showDeleted = parameters.flag('showDeleted');
  const syncToken = parameters.text('syncToken');
  const has = (name: string) => parameters.text(name) !== undefined;
  if (syncToken !== undefined && (NO_SYNC.some(has) || showDeleted === false)) {
    throw badRequest('The sync token cannot be combined with these parameters.');
  }
  const since =
    syncToken === undefined ? undefined : readSyncToken(syncToken, state.lastChange(), state.now());
  return {
    timeMin,
    timeMax,
    updatedMin,
    since,
    query: parameters.text('q'),
    iCalUID: parameters.text('iCalUID'),
    eventTypes: parameters.all('eventTypes'),
    privateProperties: parameters.all('privateExtendedProperty'),
    sharedProperties: parameters.all('sharedExtendedProperty'),
    showDeleted: showDeleted === true || since !== undefined || updatedMin !== undefined,
    syncs: !UNFOLLOWED.some(has),
  };
}

function expanded(calendar: CalendarRecord, before: number): EventRecord[] {
  const byId = new Map<string, EventRecord>();
  for (const event of calendar.events.values()) {
    // Cancelled series are expanded too, because their instances are listed as cancelled.
    const instances = isSeries(event) ? instancesOf(event, calendar, before) : [event];
    for (const instance of instances) byId.set(instance.id, instance);
  }
  return [...byId.values()];
}

// Unexpanded lists contain cancelled exceptions of an active series even without `showDeleted`, as in the real service.
function isVisible(
  event: EventRecord,
  calendar: CalendarRecord,
  { filter, isExpanded }: { filter: ListFilter; isExpanded: boolean },
): boolean {
  if (event.status !== 'cancelled' || filter.showDeleted) return true;
  const master = calendar.events.get(event.recurringEventId ?? '');
  return !isExpanded && master !== undefined && master.status !== 'cancelled';
}

interface Listing {
  readonly calendar: CalendarRecord;
  readonly events: readonly EventRecord[];
  readonly size: number;
  /** Returns true if the response contains the event. Other events still count for the page size. */
  isListed(event: EventRecord): boolean;
  readonly syncs: boolean;
}

export function envelope(
  { state, parameters }: Pick<Call, 'state' | 'parameters'>,
  { calendar, events, size, isListed, syncs }: Listing,
): Fields {
  const fingerprint = parameters.fingerprint();
  const offset = readOffset(parameters);
  const more = offset + size < events.length;
  const timeZone = readZone(parameters);
  const began = startOf({ state, parameters });
  const last = syncs ? { nextSyncToken: writeSyncToken(began, state.now()) } : {};
  return {
    kind: 'calendar#events',
    etag: etagOf(calendar.updated, events.length),
    summary: calendar.summary,
    ...(calendar.description === undefined ? {} : { description: calendar.description }),
    updated: new Date(calendar.updated).toISOString(),
    timeZone: timeZone ?? calendar.timeZone,
    accessRole: calendar.accessRole,
    defaultReminders: calendar.isPrimary ? DEFAULT_REMINDERS : [],
    ...(more ? { nextPageToken: writePageToken(offset + size, fingerprint, began) } : last),
    items: events
      .slice(offset, offset + size)
      .filter(isListed)
      .map((event) => presentItem(event, { state, parameters, calendar, timeZone })),
  };
}

interface ItemView {
  readonly state: CalendarState;
  readonly parameters: Parameters;
  readonly calendar: CalendarRecord;
  readonly timeZone: string | undefined;
}

function presentItem(event: EventRecord, { state, parameters, calendar, timeZone }: ItemView): Fields {
  const isCancelledInstance = event.status === 'cancelled' && event.recurringEventId !== undefined;
  if (isCancelledInstance) return presentCancelledInstance(event, calendar);
  return presentEvent(event, {
    calendar,
    email: state.person.email,
    timeZone,
    maxAttendees: readMaxAttendees(parameters),
  });
}

export function readMaxAttendees(parameters: Parameters): number {
  return parameters.integer('maxAttendees', Number.MAX_SAFE_INTEGER);
}

export function readZone(parameters: Parameters): string | undefined {
  const zone = parameters.text('timeZone');
  if (zone !== undefined && !isZone(zone)) throw badRequest('Invalid time zone.');
  return zone;
}

interface Filter {
  readonly timeMin: number | undefined;
  readonly timeMax: number | undefined;
  readonly updatedMin: number | undefined;
  readonly since: number | undefined;
  readonly query: string | undefined;
  readonly iCalUID: string | undefined;
  readonly eventTypes: readonly string[];
  readonly privateProperties: readonly string[];
  readonly sharedProperties: readonly string[];
}

function eventFilter(filter: Filter, calendar: CalendarRecord): (event: EventRecord) => boolean {
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

// `timeMin` is compared with the end of an event, `timeMax` with the start. Both bounds are exclusive.
function isInTime(event: EventRecord, calendar: CalendarRecord, { timeMin, timeMax }: Filter): boolean {
  if (timeMin === undefined && timeMax === undefined) return true;
  const fits = ({ from, to }: Span) =>
    (timeMin === undefined || to > timeMin) && (timeMax === undefined || from < timeMax);
  if (!isSeries(event)) return fits(spanOf(event, calendar));
  // A series is listed if one instance fits. Searching one year after the lower bound finds such an instance, and does
  // not expand an endless series.
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

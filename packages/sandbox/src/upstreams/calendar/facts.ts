import { notFound } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { isObject } from '../../json.js';
import { formatDateTime, isZone, parseDateTime } from '../../zoned-time.js';
import { invalid, required, timeRangeEmpty } from './api-error.js';
import { type Call, type Method, SYNCED, serviceMethods } from './call.js';
import { type Span, spanOf } from './event-times.js';
import { instancesOf, isSeries } from './series.js';
import { type CalendarRecord, etagOf, type Fields } from './state.js';
import { writeSyncToken } from './tokens.js';

const READING = ['calendar', 'calendar.readonly'] as const;

export const factMethods: readonly Method[] = [
  ...serviceMethods(
    'Colors',
    [...READING, 'calendar.events', 'calendar.events.readonly', 'calendar.app.created'],
    {
      Get: { path: '/colors', handle: getColors },
    },
  ),
  ...serviceMethods('Settings', READING, {
    List: { path: '/users/me/settings', parameters: SYNCED, handle: listSettings },
    Get: { path: '/users/me/settings/:setting', handle: getSetting },
  }),
  ...serviceMethods('Freebusy', [...READING, 'calendar.events.freebusy'], {
    Query: { path: '/freeBusy', handle: queryFreeBusy },
  }),
];

const EVENT_COLORS =
  '#a4bdfc #7ae7bf #dbadff #ff887c #fbd75b #ffb878 #46d6db #e1e1e1 #5484ed #51b749 #dc2127'.split(' ');
const CALENDAR_COLORS =
  '#ac725e #d06b64 #f83a22 #fa573c #ff7537 #ffad46 #42d692 #16a765 #7bd148 #b3dc6c #fbe983 #fad165 #92e1c0 #9fe1e7 #9fc6e7 #4986e7 #9a9cff #b99aff #c2c2c2 #cabdbf #cca6ac #f691b2 #cd74e6 #a47ae2'.split(
    ' ',
  );

const palette = (colors: readonly string[]): Fields =>
  Object.fromEntries(
    colors.map((background, index) => [String(index + 1), { background, foreground: '#1d1d1d' }]),
  );

function getColors(): Outcome {
  const body = {
    kind: 'calendar#colors',
    updated: '2012-02-14T00:00:00.000Z',
    calendar: palette(CALENDAR_COLORS),
    event: palette(EVENT_COLORS),
  };
  return { body };
}

function settingsOf({ state }: Call): Readonly<Record<string, string>> {
  const own = [...state.calendars.values()].find(({ isPrimary }) => isPrimary);
  return {
    autoAddHangouts: 'true',
    dateFieldOrder: 'DMY',
    defaultEventLength: '60',
    format24HourTime: 'true',
    hideInvitations: 'false',
    hideWeekends: 'false',
    locale: 'en',
    remindOnRespondedEventsOnly: 'false',
    showDeclinedEvents: 'true',
    timezone: own?.timeZone ?? 'UTC',
    useKeyboardShortcuts: 'true',
    weekStart: '1',
  };
}

const presentSetting = (id: string, value: string): Fields => ({
  kind: 'calendar#setting',
  etag: etagOf(0, 0),
  id,
  value,
});

function listSettings(call: Call): Outcome {
  const { state } = call;
  const items = Object.entries(settingsOf(call)).map(([id, value]) => presentSetting(id, value));
  const nextSyncToken = writeSyncToken(state.lastChange(), state.now());
  return { body: { kind: 'calendar#settings', etag: etagOf(0, items.length), nextSyncToken, items } };
}

function getSetting(call: Call): Outcome {
  const id = call.part('setting');
  const value = settingsOf(call)[id];
  if (value === undefined) throw notFound();
  return { body: presentSetting(id, value) };
}

const MOST_CALENDARS = 50;

function readMoment(body: Readonly<Fields>, name: string): number {
  const value = body[name];
  if (value === undefined) throw required(`Missing ${name}.`);
  const instant = typeof value === 'string' ? parseDateTime(value)?.instant : undefined;
  if (instant === undefined) throw invalid(`Invalid value for: ${name}.`);
  return instant;
}

function queryFreeBusy(call: Call): Outcome {
  const { body, state } = call;
  const [from, to] = [readMoment(body, 'timeMin'), readMoment(body, 'timeMax')];
  if (to <= from) throw timeRangeEmpty();
  const zone = String(body.timeZone ?? 'UTC');
  if (!isZone(zone)) throw invalid('Invalid time zone.');
  const items = Array.isArray(body.items) ? body.items.filter(isObject) : [];
  if (items.length > MOST_CALENDARS) throw invalid(`Request at most ${MOST_CALENDARS} calendars at once.`);
  const calendars = items.map(({ id }) => {
    const calendar = state.calendars.get(id === 'primary' ? state.person.email : String(id));
    const result = calendar
      ? { busy: busyTimes(calendar, { from, to }, zone) }
      : { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] };
    return [String(id), result] as const;
  });
  const [timeMin, timeMax] = [new Date(from).toISOString(), new Date(to).toISOString()];
  return { body: { kind: 'calendar#freeBusy', timeMin, timeMax, calendars: Object.fromEntries(calendars) } };
}

/** Returns the busy periods of a calendar without event details. Adjacent and overlapping periods are merged. */
function busyTimes(calendar: CalendarRecord, { from, to }: Span, zone: string): Fields[] {
  const planned = [...calendar.events.values()]
    .flatMap((event) => (isSeries(event) ? instancesOf(event, calendar, to) : [event]))
    .filter(({ status, fields }) => status !== 'cancelled' && fields.transparency !== 'transparent')
    .map((event) => spanOf(event, calendar))
    .filter((span) => span.to > from && span.from < to)
    .sort((a, b) => a.from - b.from);
  const busy: { from: number; to: number }[] = [];
  for (const span of planned) {
    const last = busy.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else busy.push({ ...span });
  }
  return busy.map((span) => ({
    start: formatDateTime(Math.max(span.from, from), zone),
    end: formatDateTime(Math.min(span.to, to), zone),
  }));
}

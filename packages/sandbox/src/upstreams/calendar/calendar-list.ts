import { ApiError, badRequest } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { readPageChange, writePageToken } from '../../google/page-token.js';
import { invalid, required } from './api-error.js';
import { presentProperties } from './calendar-properties.js';
import { type Call, findCalendar, type Method, SYNCED, serviceMethods } from './call.js';
import { CONFERENCE_SOLUTIONS } from './conference.js';
import {
  type CalendarRecord,
  type CalendarState,
  etagOf,
  type Fields,
  removeCalendar,
  touchEntry,
} from './state.js';
import { readOffset, readSyncToken, writeSyncToken } from './tokens.js';

const SCOPES = [
  'calendar',
  'calendar.readonly',
  'calendar.calendarlist',
  'calendar.calendarlist.readonly',
] as const;

const CALENDAR_SCOPES = [
  'calendar',
  'calendar.readonly',
  'calendar.app.created',
  'calendar.calendars.readonly',
] as const;

const ROLES = ['freeBusyReader', 'reader', 'writer', 'owner'] as const;
const VISIBILITY = { showDeleted: 'flag', showHidden: 'flag', showOwnOrganizationOnly: 'flag' } as const;
const MOST = 250;

export const calendarListMethods: readonly Method[] = [
  ...serviceMethods('CalendarList', SCOPES, {
    List: {
      path: '/users/me/calendarList',
      parameters: { ...SYNCED, minAccessRole: { words: ROLES }, ...VISIBILITY },
      handle: listCalendars,
    },
    Get: {
      path: '/users/me/calendarList/:calendarId',
      handle: (call) => ({ body: presentEntry(call.calendar()) }),
    },
  }),
  ...serviceMethods('Calendars', CALENDAR_SCOPES, {
    Get: { path: '/calendars/:calendarId', handle: (call) => ({ body: presentCalendar(call.calendar()) }) },
  }),
];

function listCalendars({ state, parameters }: Call): Outcome {
  const size = Math.min(MOST, parameters.integer('maxResults', 100));
  const role = parameters.choice('minAccessRole', ROLES);
  const hidden = parameters.flag('showHidden');
  const deleted = parameters.flag('showDeleted');
  const syncToken = parameters.text('syncToken');
  if (syncToken !== undefined && (role !== undefined || hidden === false || deleted === false)) {
    throw badRequest('The sync token cannot be combined with these parameters.');
  }
  const since =
    syncToken === undefined ? undefined : readSyncToken(syncToken, state.lastChange(), state.now());
  const isSync = since !== undefined;
  const calendars = [...state.calendars.values(), ...(isSync || deleted ? state.removed.values() : [])];
  const lowest = role === undefined ? 0 : ROLES.indexOf(role);
  // Incremental syncs report every changed calendar, including hidden and removed calendars that a normal list omits.
  const visible = calendars.filter((one) =>
    isSync
      ? one.listChange > since
      : ROLES.indexOf(one.accessRole) >= lowest && (hidden === true || !one.isHidden),
  );

  const offset = readOffset(parameters);
  const began = readPageChange(parameters.text('pageToken')) ?? state.lastChange();
  const more = offset + size < visible.length;
  return {
    body: {
      kind: 'calendar#calendarList',
      etag: etagOf(state.lastChange(), visible.length),
      ...(more
        ? { nextPageToken: writePageToken(offset + size, parameters.fingerprint(), began) }
        : { nextSyncToken: writeSyncToken(began, state.now()) }),
      items: visible.slice(offset, offset + size).map((one) => ({
        ...presentEntry(one),
        ...(state.removed.has(one.id) ? { deleted: true } : {}),
      })),
    },
  };
}

const textsOf = ({ description, location }: CalendarRecord): Fields => ({
  ...(description === undefined ? {} : { description }),
  ...(location === undefined ? {} : { location }),
});

function presentEntry(calendar: CalendarRecord): Fields {
  const { id, summary, timeZone, accessRole, isPrimary, isHidden, color, updated, listChange } = calendar;
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(updated, listChange),
    id,
    summary,
    ...textsOf(calendar),
    timeZone,
    colorId: color.id,
    backgroundColor: color.background,
    foregroundColor: '#000000',
    ...(isHidden ? { hidden: true } : { selected: true }),
    accessRole,
    defaultReminders: isPrimary ? DEFAULT_REMINDERS : [],
    ...(isPrimary ? { notificationSettings: NOTIFICATIONS, primary: true } : {}),
    conferenceProperties: { allowedConferenceSolutionTypes: CONFERENCE_SOLUTIONS },
    ...calendar.listing,
  };
}

export function presentCalendar(calendar: CalendarRecord): Fields {
  const { id, summary, timeZone, updated, listChange } = calendar;
  return {
    kind: 'calendar#calendar',
    etag: etagOf(updated, listChange),
    id,
    summary,
    ...textsOf(calendar),
    timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: CONFERENCE_SOLUTIONS },
    ...presentProperties(calendar),
  };
}

export const DEFAULT_REMINDERS: readonly Fields[] = [{ method: 'popup', minutes: 10 }];
const NOTIFICATIONS = {
  notifications: ['eventCreation', 'eventChange', 'eventCancellation'].map((type) => ({
    type,
    method: 'email',
  })),
};

const WRITING = ['calendar', 'calendar.calendarlist'] as const;
const ONE = '/users/me/calendarList/:calendarId';
const COLORED = { colorRgbFormat: 'flag' } as const;

export const listEntryMethods = serviceMethods('CalendarList', WRITING, {
  Insert: { path: '/users/me/calendarList', parameters: COLORED, handle: insertEntry },
  Patch: { path: ONE, parameters: COLORED, handle: (call) => changeEntry(call, call.calendar()) },
  Update: {
    path: ONE,
    parameters: COLORED,
    handle(call) {
      const calendar = call.calendar();
      calendar.listing = {};
      return changeEntry(call, calendar);
    },
  },
  Delete: { path: ONE, handle: deleteEntry },
});

const SETTINGS: Readonly<Record<string, string>> = {
  summaryOverride: 'string',
  selected: 'boolean',
  colorId: 'string',
  backgroundColor: 'string',
  foregroundColor: 'string',
  defaultReminders: 'object',
  notificationSettings: 'object',
};

function changeEntry({ body, parameters, state }: Call, calendar: CalendarRecord): Outcome {
  const usesRgb = parameters.flag('colorRgbFormat') ?? false;
  if (!usesRgb && (body.backgroundColor !== undefined || body.foregroundColor !== undefined))
    throw invalid('Colors are accepted only with the parameter colorRgbFormat=true.');
  const listing: Fields = { ...calendar.listing };
  for (const [name, type] of Object.entries(SETTINGS)) {
    const value = body[name];
    if (value === undefined) continue;
    if (value === null) delete listing[name];
    else if (typeof value !== type) throw invalid(`Invalid value for: ${name}: wrong type`);
    else listing[name] = value;
  }
  calendar.listing = listing;
  if (typeof body.hidden === 'boolean') calendar.isHidden = body.hidden;
  touchEntry(state, calendar);
  return { body: presentEntry(calendar) };
}

function insertEntry(call: Call): Outcome {
  const { id } = call.body;
  if (typeof id !== 'string') throw required('Missing calendar id.');
  const calendar = subscribeAgain(call.state, id) ?? findCalendar(call.state, id);
  calendar.isHidden = false;
  return changeEntry(call, calendar);
}

/**
 * Adds a calendar again that the person removed from the list. Own calendars are excluded, because removing them
 * deleted them.
 */
function subscribeAgain({ removed, calendars }: CalendarState, id: string): CalendarRecord | undefined {
  const calendar = removed.get(id);
  if (calendar === undefined || calendar.accessRole === 'owner') return undefined;
  removed.delete(id);
  calendars.set(id, calendar);
  return calendar;
}

function deleteEntry(call: Call): Outcome {
  const calendar = call.calendar();
  if (calendar.accessRole === 'owner')
    throw new ApiError(
      403,
      'cannotUnsubscribeFromOwnCalendar',
      'One cannot unsubscribe from an own calendar.',
    );
  removeCalendar(call.state, calendar);
  return { status: 204 };
}

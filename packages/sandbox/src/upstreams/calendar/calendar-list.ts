import { badRequest } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { writePageToken } from '../../google/page-token.js';
import type { Call, Method } from './call.js';
import { CONFERENCE_SOLUTIONS } from './conference.js';
import { SYNCED } from './parameters.js';
import { type CalendarRecord, etagOf, type Fields } from './state.js';
import { readOffset, readSyncToken, writeSyncToken } from './tokens.js';

const SCOPES = [
  'calendar',
  'calendar.readonly',
  'calendar.calendarlist',
  'calendar.calendarlist.readonly',
] as const;

const ROLES = ['freeBusyReader', 'reader', 'writer', 'owner'] as const;
const SHOWN = { showDeleted: 'flag', showHidden: 'flag', showOwnOrganizationOnly: 'flag' } as const;
const MOST = 250;

export const calendarListMethods: readonly Method[] = [
  {
    name: 'calendar.v3.CalendarList.List',
    verb: 'GET',
    path: '/users/me/calendarList',
    scopes: SCOPES,
    parameters: { ...SYNCED, minAccessRole: { words: ROLES }, ...SHOWN },
    handle: listCalendars,
  },
  {
    name: 'calendar.v3.CalendarList.Get',
    verb: 'GET',
    path: '/users/me/calendarList/:calendarId',
    scopes: SCOPES,
    parameters: {},
    handle: (call) => ({ body: presentEntry(call.calendar()) }),
  },
  {
    name: 'calendar.v3.Calendars.Get',
    verb: 'GET',
    path: '/calendars/:calendarId',
    scopes: ['calendar', 'calendar.readonly', 'calendar.app.created'],
    parameters: {},
    handle: (call) => ({ body: presentCalendar(call.calendar()) }),
  },
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
  // The list itself never changes in the sandbox, so a sync has nothing to say.
  const calendars = since === undefined ? [...state.calendars.values()] : [];
  const lowest = role === undefined ? 0 : ROLES.indexOf(role);
  const shown = calendars.filter(
    (one) => ROLES.indexOf(one.accessRole) >= lowest && (hidden === true || !one.isHidden),
  );

  const offset = readOffset(parameters);
  const more = offset + size < shown.length;
  return {
    body: {
      kind: 'calendar#calendarList',
      etag: etagOf(state.lastChange(), shown.length),
      ...(more
        ? { nextPageToken: writePageToken(offset + size, parameters.fingerprint()) }
        : { nextSyncToken: writeSyncToken(state.lastChange(), state.now()) }),
      items: shown.slice(offset, offset + size).map(presentEntry),
    },
  };
}

export function presentEntry(calendar: CalendarRecord): Fields {
  const { id, summary, description, timeZone, accessRole, isPrimary, isHidden, color, updated } = calendar;
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(updated, 0),
    id,
    summary,
    ...(description === undefined ? {} : { description }),
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

export function presentCalendar({ id, summary, description, timeZone, updated }: CalendarRecord): Fields {
  return {
    kind: 'calendar#calendar',
    etag: etagOf(updated, 0),
    id,
    summary,
    ...(description === undefined ? {} : { description }),
    timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: CONFERENCE_SOLUTIONS },
  };
}

export const DEFAULT_REMINDERS: readonly Fields[] = [{ method: 'popup', minutes: 10 }];
const NOTIFICATIONS = {
  notifications: ['eventCreation', 'eventChange', 'eventCancellation'].map((type) => ({
    type,
    method: 'email',
  })),
};

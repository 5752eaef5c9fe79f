import { badRequest } from '../../google/api-error.js';
import type { Outcome } from '../../google/method.js';
import { readPageChange, writePageToken } from '../../google/page-token.js';
import { type Call, type Method, serviceMethods } from './call.js';
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
  ...serviceMethods('CalendarList', SCOPES, {
    List: {
      path: '/users/me/calendarList',
      parameters: { ...SYNCED, minAccessRole: { words: ROLES }, ...SHOWN },
      handle: listCalendars,
    },
    Get: {
      path: '/users/me/calendarList/:calendarId',
      handle: (call) => ({ body: presentEntry(call.calendar()) }),
    },
  }),
  ...serviceMethods('Calendars', ['calendar', 'calendar.readonly', 'calendar.app.created'], {
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
  const calendars = [...state.calendars.values(), ...(isSync || deleted ? state.gone.values() : [])];
  const lowest = role === undefined ? 0 : ROLES.indexOf(role);
  // A sync tells of everything that changed, also of what a list does not show.
  const shown = calendars.filter((one) =>
    isSync
      ? one.listChange > since
      : ROLES.indexOf(one.accessRole) >= lowest && (hidden === true || !one.isHidden),
  );

  const offset = readOffset(parameters);
  const began = readPageChange(parameters.text('pageToken')) ?? state.lastChange();
  const more = offset + size < shown.length;
  return {
    body: {
      kind: 'calendar#calendarList',
      etag: etagOf(state.lastChange(), shown.length),
      ...(more
        ? { nextPageToken: writePageToken(offset + size, parameters.fingerprint(), began) }
        : { nextSyncToken: writeSyncToken(began, state.now()) }),
      items: shown.slice(offset, offset + size).map((one) => ({
        ...presentEntry(one),
        ...(state.gone.has(one.id) ? { deleted: true } : {}),
      })),
    },
  };
}

/** What a calendar may go without. */
const textsOf = ({ description, location }: CalendarRecord): Fields => ({
  ...(description === undefined ? {} : { description }),
  ...(location === undefined ? {} : { location }),
});

export function presentEntry(calendar: CalendarRecord): Fields {
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
  };
}

export const DEFAULT_REMINDERS: readonly Fields[] = [{ method: 'popup', minutes: 10 }];
const NOTIFICATIONS = {
  notifications: ['eventCreation', 'eventChange', 'eventCancellation'].map((type) => ({
    type,
    method: 'email',
  })),
};

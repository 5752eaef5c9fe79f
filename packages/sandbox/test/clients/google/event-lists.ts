import type { calendar_v3 } from '@googleapis/calendar';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type CalendarOperation = GoogleOperation<calendar_v3.Calendar>;

const at9 = { dateTime: '2030-03-04T09:00:00Z', timeZone: 'Europe/London' };
const at10 = { dateTime: '2030-03-04T10:00:00Z', timeZone: 'Europe/London' };
const _at11 = { dateTime: '2030-03-04T11:00:00Z', timeZone: 'Europe/London' };
const plan = { start: at9, end: at10 };

/** List operations on the events that {@link events} created. */
export const eventLists: readonly CalendarOperation[] = [
  {
    name: 'events.list',
    call: ({ api, at }, id) => at((o) => api.events.list({ calendarId: id('calendar') }, o)),
    gives: { kind: 'calendar#events' },
    saves: { eventSync: 'nextSyncToken' },
  },
  {
    name: 'events.list, expanded and sorted',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.list(
          {
            calendarId: id('calendar'),
            singleEvents: true,
            orderBy: 'startTime',
            timeMin: '2030-03-01T00:00:00Z',
            timeMax: '2030-03-08T00:00:00Z',
          },
          o,
        ),
      ),
    gives: { kind: 'calendar#events' },
  },
  {
    name: 'events.list, with a search',
    call: ({ api, at }, id) => at((o) => api.events.list({ calendarId: id('calendar'), q: 'anew' }, o)),
    gives: { items: [{ summary: 'Review, anew' }] },
  },
  {
    name: 'events.list, by their kinds',
    call: ({ api, at }) =>
      at((o) =>
        api.events.list({ calendarId: 'primary', eventTypes: ['default', 'focusTime'], maxResults: 3 }, o),
      ),
    gives: { kind: 'calendar#events' },
  },
  {
    name: 'events.list, some fields',
    call: ({ api, at }) =>
      at((o) =>
        api.events.list(
          { calendarId: 'primary', fields: 'items(id,summary),nextPageToken', maxResults: 1 },
          o,
        ),
      ),
    saves: { nextEvents: 'nextPageToken' },
  },
  {
    name: 'events.list, the next page',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.list(
          {
            calendarId: 'primary',
            fields: 'items(id,summary),nextPageToken',
            maxResults: 1,
            pageToken: id('nextEvents'),
          },
          o,
        ),
      ),
  },
  {
    name: 'events.list, in an order that is none',
    call: ({ api, at }) => at((o) => api.events.list({ calendarId: 'primary', orderBy: 'startTime' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.list, a time without an offset',
    call: ({ api, at }) =>
      at((o) => api.events.list({ calendarId: 'primary', timeMin: '2030-01-01T00:00:00' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.list, a kind that is none',
    call: ({ api, at }) => at((o) => api.events.list({ calendarId: 'primary', eventTypes: ['party'] }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.instances',
    call: ({ api, at }, id) =>
      at((o) => api.events.instances({ calendarId: id('calendar'), eventId: id('series') }, o)),
    gives: { items: [{}, {}, {}, {}] },
    saves: { instance: 'items.1.id' },
  },
  {
    name: 'events.patch, one of a series',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.patch(
          { calendarId: id('calendar'), eventId: id('instance'), requestBody: { summary: 'Later' } },
          o,
        ),
      ),
    gives: { recurringEventId: expect.any(String) },
  },
  {
    name: 'events.delete, one of a series',
    call: ({ api, at }, id) =>
      at((o) => api.events.delete({ calendarId: id('calendar'), eventId: id('instance') }, o)),
  },
  {
    name: 'events.quickAdd',
    call: ({ api, at }, id) =>
      at((o) => api.events.quickAdd({ calendarId: id('calendar'), text: 'Lunch with Grace' }, o)),
    gives: { summary: 'Lunch with Grace' },
    saves: { quick: 'id' },
  },
  {
    name: 'events.import',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.import(
          {
            calendarId: id('calendar'),
            requestBody: { iCalUID: 'battery@example.com', summary: 'Imported', ...plan },
          },
          o,
        ),
      ),
    gives: { iCalUID: 'battery@example.com' },
  },
  {
    name: 'events.import, without its id',
    call: ({ api, at }, id) =>
      at((o) => api.events.import({ calendarId: id('calendar'), requestBody: plan }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.move',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.move({ calendarId: id('calendar'), eventId: id('quick'), destination: 'primary' }, o),
      ),
    gives: { organizer: { email: 'ada@example.com' } },
  },
  {
    name: 'events.delete',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.delete({ calendarId: id('calendar'), eventId: id('event'), sendUpdates: 'none' }, o),
      ),
  },
  {
    name: 'events.delete, again',
    call: ({ api, at }, id) =>
      at((o) => api.events.delete({ calendarId: id('calendar'), eventId: id('event') }, o)),
    throws: { code: 410 },
  },
  {
    name: 'events.list, since then',
    call: ({ api, at }, id) =>
      at((o) => api.events.list({ calendarId: id('calendar'), syncToken: id('eventSync') }, o)),
    gives: { kind: 'calendar#events' },
  },
  {
    name: 'events.list, with a filter that a sync excludes',
    call: ({ api, at }, id) =>
      at((o) => api.events.list({ calendarId: id('calendar'), syncToken: id('eventSync'), q: 'x' }, o)),
    throws: { code: 400 },
  },
  {
    name: 'retries a read of a service that is down',
    call: async ({ api, at }, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 503 } });
      return at((o) => api.colors.get({}, { ...o, retryConfig: { retryDelay: 1, retry: 3 } }));
    },
    gives: { kind: 'calendar#colors' },
  },
  {
    name: 'knows a limit',
    call: async ({ api, at }, _, setDials) => {
      await setDials({ failNext: { count: 1, status: 403 } });
      return at((o) => api.events.insert({ calendarId: 'primary', requestBody: plan }, o));
    },
    throws: {
      code: 403,
      response: { data: { error: { errors: [{ reason: 'userRateLimitExceeded' }] } } },
    },
  },
  {
    name: 'calendars.delete',
    call: ({ api, at }, id) => at((o) => api.calendars.delete({ calendarId: id('calendar') }, o)),
  },
  {
    name: 'calendars.get, deleted',
    call: ({ api, at }, id) => at((o) => api.calendars.get({ calendarId: id('calendar') }, o)),
    throws: { code: 404 },
  },
];

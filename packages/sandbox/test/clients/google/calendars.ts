import type { calendar_v3 } from '@googleapis/calendar';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type CalendarOperation = GoogleOperation<calendar_v3.Calendar>;

export const calendars: readonly CalendarOperation[] = [
  {
    name: 'calendarList.list',
    call: ({ api, at }) => at((o) => api.calendarList.list({}, o)),
    gives: { kind: 'calendar#calendarList', nextSyncToken: expect.any(String) },
    saves: { sync: 'nextSyncToken', team: 'items.1.id', holidays: 'items.2.id' },
  },
  {
    name: 'calendarList.list, a page of one',
    call: ({ api, at }) => at((o) => api.calendarList.list({ maxResults: 1 }, o)),
    saves: { nextCalendars: 'nextPageToken' },
  },
  {
    name: 'calendarList.list, the next page',
    call: ({ api, at }, id) =>
      at((o) => api.calendarList.list({ maxResults: 1, pageToken: id('nextCalendars') }, o)),
    gives: { items: [{ summary: 'Team' }] },
  },
  {
    name: 'calendarList.list, hidden ones too',
    call: ({ api, at }) => at((o) => api.calendarList.list({ showHidden: true, minAccessRole: 'owner' }, o)),
    gives: { items: [{ primary: true }, { summary: 'Team' }, { summary: 'Archive' }] },
  },
  {
    name: 'calendarList.list, since then',
    call: ({ api, at }, id) => at((o) => api.calendarList.list({ syncToken: id('sync') }, o)),
    gives: { items: [] },
  },
  {
    name: 'calendarList.list, an impossible size',
    call: ({ api, at }) => at((o) => api.calendarList.list({ maxResults: 0 }, o)),
    throws: { code: 400 },
  },
  {
    name: 'calendarList.get',
    call: ({ api, at }) => at((o) => api.calendarList.get({ calendarId: 'primary' }, o)),
    gives: { primary: true, accessRole: 'owner' },
  },
  {
    name: 'calendarList.get, none such',
    call: ({ api, at }) => at((o) => api.calendarList.get({ calendarId: 'nobody@example.com' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'calendars.insert',
    call: ({ api, at }) =>
      at((o) => api.calendars.insert({ requestBody: { summary: 'Battery', timeZone: 'Europe/Berlin' } }, o)),
    gives: { kind: 'calendar#calendar', timeZone: 'Europe/Berlin' },
    saves: { calendar: 'id' },
  },
  {
    name: 'calendars.insert, without a name',
    call: ({ api, at }) => at((o) => api.calendars.insert({ requestBody: {} }, o)),
    throws: { code: 400 },
  },
  {
    name: 'calendars.get',
    call: ({ api, at }, id) => at((o) => api.calendars.get({ calendarId: id('calendar') }, o)),
    gives: { summary: 'Battery' },
  },
  {
    name: 'calendars.patch',
    call: ({ api, at }, id) =>
      at((o) =>
        api.calendars.patch({ calendarId: id('calendar'), requestBody: { description: 'Of tests' } }, o),
      ),
    gives: { description: 'Of tests', summary: 'Battery' },
  },
  {
    name: 'calendars.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.calendars.update({ calendarId: id('calendar'), requestBody: { summary: 'Batteries' } }, o),
      ),
    gives: { summary: 'Batteries' },
  },
  {
    name: 'calendars.clear, not the own one',
    call: ({ api, at }, id) => at((o) => api.calendars.clear({ calendarId: id('calendar') }, o)),
    throws: { code: 400 },
  },
  {
    name: 'calendarList.insert',
    call: ({ api, at }, id) => at((o) => api.calendarList.insert({ requestBody: { id: id('calendar') } }, o)),
    gives: { kind: 'calendar#calendarListEntry' },
  },
  {
    name: 'calendarList.patch',
    call: ({ api, at }, id) =>
      at((o) =>
        api.calendarList.patch({ calendarId: id('calendar'), requestBody: { summaryOverride: 'Mine' } }, o),
      ),
    gives: { summaryOverride: 'Mine' },
  },
  {
    name: 'calendarList.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.calendarList.update(
          {
            calendarId: id('calendar'),
            colorRgbFormat: true,
            requestBody: { backgroundColor: '#123456', foregroundColor: '#ffffff' },
          },
          o,
        ),
      ),
    gives: { backgroundColor: '#123456' },
  },
  {
    name: 'calendarList.delete, an own one',
    call: ({ api, at }, id) => at((o) => api.calendarList.delete({ calendarId: id('calendar') }, o)),
    throws: { code: 403 },
  },
  {
    name: 'calendarList.delete',
    call: ({ api, at }, id) => at((o) => api.calendarList.delete({ calendarId: id('holidays') }, o)),
  },
  {
    name: 'acl.list',
    call: ({ api, at }, id) => at((o) => api.acl.list({ calendarId: id('calendar') }, o)),
    gives: { items: [{ role: 'owner' }] },
  },
  {
    name: 'acl.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.acl.insert(
          {
            calendarId: id('calendar'),
            requestBody: { role: 'reader', scope: { type: 'user', value: 'grace@example.com' } },
          },
          o,
        ),
      ),
    gives: { role: 'reader' },
    saves: { rule: 'id' },
  },
  {
    name: 'acl.insert, a role that is none',
    call: ({ api, at }, id) =>
      at((o) =>
        api.acl.insert(
          { calendarId: id('calendar'), requestBody: { role: 'king', scope: { type: 'default' } } },
          o,
        ),
      ),
    throws: { code: 400 },
  },
  {
    name: 'acl.get',
    call: ({ api, at }, id) => at((o) => api.acl.get({ calendarId: id('calendar'), ruleId: id('rule') }, o)),
    gives: { kind: 'calendar#aclRule' },
  },
  {
    name: 'acl.patch',
    call: ({ api, at }, id) =>
      at((o) =>
        api.acl.patch({ calendarId: id('calendar'), ruleId: id('rule'), requestBody: { role: 'writer' } }, o),
      ),
    gives: { role: 'writer' },
  },
  {
    name: 'acl.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.acl.update(
          { calendarId: id('calendar'), ruleId: id('rule'), requestBody: { role: 'reader' } },
          o,
        ),
      ),
    gives: { role: 'reader' },
  },
  {
    name: 'acl.delete',
    call: ({ api, at }, id) =>
      at((o) => api.acl.delete({ calendarId: id('calendar'), ruleId: id('rule') }, o)),
  },
  {
    name: 'acl.get, deleted',
    call: ({ api, at }, id) => at((o) => api.acl.get({ calendarId: id('calendar'), ruleId: id('rule') }, o)),
    throws: { code: 404 },
  },
  {
    name: 'colors.get',
    call: ({ api, at }) => at((o) => api.colors.get({}, o)),
    gives: { kind: 'calendar#colors' },
  },
  {
    name: 'settings.list',
    call: ({ api, at }) => at((o) => api.settings.list({}, o)),
    gives: { kind: 'calendar#settings' },
  },
  {
    name: 'settings.get',
    call: ({ api, at }) => at((o) => api.settings.get({ setting: 'timezone' }, o)),
    gives: { id: 'timezone', value: 'Europe/London' },
  },
  {
    name: 'settings.get, none such',
    call: ({ api, at }) => at((o) => api.settings.get({ setting: 'nothing' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'freebusy.query',
    call: ({ api, at }) =>
      at((o) =>
        api.freebusy.query(
          {
            requestBody: {
              timeMin: '2030-01-01T00:00:00Z',
              timeMax: '2030-01-08T00:00:00Z',
              items: [{ id: 'primary' }, { id: 'nobody' }],
            },
          },
          o,
        ),
      ),
    gives: { kind: 'calendar#freeBusy', calendars: { nobody: { errors: [{ reason: 'notFound' }] } } },
  },
  {
    name: 'freebusy.query, no time at all',
    call: ({ api, at }) =>
      at((o) =>
        api.freebusy.query(
          { requestBody: { timeMin: '2030-01-08T00:00:00Z', timeMax: '2030-01-08T00:00:00Z', items: [] } },
          o,
        ),
      ),
    throws: { code: 400 },
  },
  {
    name: 'channels.stop, not emulated',
    call: ({ api, at }) => at((o) => api.channels.stop({ requestBody: { id: 'x', resourceId: 'y' } }, o)),
    throws: { code: 501 },
  },
];

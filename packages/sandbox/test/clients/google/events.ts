import type { calendar_v3 } from '@googleapis/calendar';
import { expect } from 'vitest';
import type { GoogleOperation } from './operation.js';

type CalendarOperation = GoogleOperation<calendar_v3.Calendar>;

const at9 = { dateTime: '2030-03-04T09:00:00Z', timeZone: 'Europe/London' };
const at10 = { dateTime: '2030-03-04T10:00:00Z', timeZone: 'Europe/London' };
const at11 = { dateTime: '2030-03-04T11:00:00Z', timeZone: 'Europe/London' };
const plan = { start: at9, end: at10 };

export const events: readonly CalendarOperation[] = [
  {
    name: 'events.insert',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.insert(
          {
            calendarId: id('calendar'),
            requestBody: {
              summary: 'Review',
              attendees: [{ email: 'grace@example.com' }],
              reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
              extendedProperties: { private: { k: 'v' } },
              ...plan,
            },
          },
          o,
        ),
      ),
    gives: { kind: 'calendar#event', status: 'confirmed' },
    saves: { event: 'id', etag: 'etag' },
  },
  {
    name: 'events.insert, for a whole day',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.insert(
          {
            calendarId: id('calendar'),
            requestBody: {
              summary: 'Day off',
              start: { date: '2030-03-05' },
              end: { date: '2030-03-06' },
              transparency: 'transparent',
            },
          },
          o,
        ),
      ),
    gives: { start: { date: '2030-03-05' } },
  },
  {
    name: 'events.insert, with a room',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.insert(
          {
            calendarId: id('calendar'),
            conferenceDataVersion: 1,
            requestBody: {
              summary: 'Call',
              conferenceData: {
                createRequest: { requestId: 'battery-1', conferenceSolutionKey: { type: 'hangoutsMeet' } },
              },
              start: at10,
              end: at11,
            },
          },
          o,
        ),
      ),
    gives: { conferenceData: { createRequest: { requestId: 'battery-1' } } },
  },
  {
    name: 'events.insert, a series',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.insert(
          {
            calendarId: id('calendar'),
            requestBody: {
              summary: 'Weekly',
              recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
              start: at11,
              end: { ...at11, dateTime: '2030-03-04T12:00:00Z' },
            },
          },
          o,
        ),
      ),
    gives: { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] },
    saves: { series: 'id' },
  },
  {
    name: 'events.insert, with an id that is there',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.insert({ calendarId: id('calendar'), requestBody: { id: id('event'), ...plan } }, o),
      ),
    throws: { code: 409 },
  },
  {
    name: 'events.insert, that ends before it begins',
    call: ({ api, at }) =>
      at((o) => api.events.insert({ calendarId: 'primary', requestBody: { start: at10, end: at9 } }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.insert, a word that is none',
    call: ({ api, at }) =>
      at((o) => api.events.insert({ calendarId: 'primary', sendUpdates: 'some', requestBody: plan }, o)),
    throws: { code: 400 },
  },
  {
    name: 'events.get',
    call: ({ api, at }, id) =>
      at((o) => api.events.get({ calendarId: id('calendar'), eventId: id('event') }, o)),
    gives: { summary: 'Review' },
  },
  {
    name: 'events.get, in another zone',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.get(
          { calendarId: id('calendar'), eventId: id('event'), timeZone: 'Asia/Tokyo', maxAttendees: 1 },
          o,
        ),
      ),
    gives: { start: { dateTime: expect.stringContaining('+09:00') } },
  },
  {
    name: 'events.get, as it is known',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.get(
          { calendarId: id('calendar'), eventId: id('event') },
          { ...o, headers: { 'if-none-match': id('etag') } },
        ),
      ),
  },
  {
    name: 'events.get, nothing such',
    call: ({ api, at }) => at((o) => api.events.get({ calendarId: 'primary', eventId: 'nothingsuch' }, o)),
    throws: { code: 404 },
  },
  {
    name: 'events.patch',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.patch(
          { calendarId: id('calendar'), eventId: id('event'), requestBody: { location: 'Room 1' } },
          o,
        ),
      ),
    gives: { location: 'Room 1', summary: 'Review' },
  },
  {
    name: 'events.patch, of an older state',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.patch(
          { calendarId: id('calendar'), eventId: id('event'), requestBody: { location: 'Room 2' } },
          { ...o, headers: { 'if-match': id('etag') } },
        ),
      ),
    throws: { code: 412 },
  },
  {
    name: 'events.update',
    call: ({ api, at }, id) =>
      at((o) =>
        api.events.update(
          {
            calendarId: id('calendar'),
            eventId: id('event'),
            requestBody: { summary: 'Review, anew', ...plan },
          },
          o,
        ),
      ),
    gives: { summary: 'Review, anew' },
  },
];

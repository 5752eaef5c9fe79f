import { describe, expect, test } from 'vitest';
import { connect } from '../authorized.js';
import {
  ada,
  at,
  EVENTS,
  get,
  HOUR,
  insert,
  items,
  list,
  patch,
  reason,
  sandbox,
  useCalendar,
} from './setup.js';

useCalendar();

describe('an event', () => {
  test('is created with the fields that the server adds, and is found by its creator only', async () => {
    const { status, body } = await insert({
      ...HOUR,
      location: 'Here',
      unknown: 'dropped',
      attendees: [{ email: 'grace@example.com' }, { email: 'ada@example.com', responseStatus: 'accepted' }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'One hour',
      start: { dateTime: '2027-03-01T09:00:00Z', timeZone: 'Europe/London' },
      creator: { email: 'ada@example.com', self: true },
      organizer: { email: 'ada@example.com', self: true },
      attendees: [
        { email: 'grace@example.com', responseStatus: 'needsAction' },
        { email: 'ada@example.com', responseStatus: 'accepted', organizer: true, self: true },
      ],
      iCalUID: `${body.id}@google.com`,
      sequence: 0,
      reminders: { useDefault: true },
      eventType: 'default',
    });
    expect(body.unknown).toBeUndefined();
    expect(body.visibility).toBeUndefined();
    expect((await get(body.id)).body).toEqual(body);
    expect(items(await list({ q: 'one hour' }))).toHaveLength(1);
    const grace = await connect(sandbox, 'calendar', { user: 'grace' });
    expect((await grace.call('GET', `${EVENTS}/${body.id}`)).status).toBe(404);
  });

  test.each([
    {
      title: 'no end',
      body: { start: HOUR.start },
      error: [400, 'global', 'required'],
      message: 'Missing end time.',
    },
    { title: 'no start', body: { end: HOUR.end }, error: [400, 'global', 'required'] },
    {
      title: 'an end before its start',
      body: { start: HOUR.end, end: HOUR.start },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'an empty time range',
      body: { start: HOUR.start, end: HOUR.start },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'neither an offset nor a time zone',
      body: { start: at('2027-03-01T09:00:00'), end: HOUR.end },
      error: [400, 'global', 'required'],
      message: 'Missing time zone definition for start time.',
    },
    {
      title: 'an unknown time zone',
      body: { start: at('2027-03-01T09:00:00', 'Europe/Nowhere'), end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a day that does not exist',
      body: { start: at('2027-02-30T09:00:00Z'), end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'both a date and a time',
      body: { start: { date: '2027-03-01' }, end: HOUR.end },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a recurrence without a time zone',
      body: { ...HOUR, recurrence: ['RRULE:FREQ=DAILY'] },
      error: [400, 'global', 'required'],
      message: 'Missing time zone definition for start time.',
    },
    {
      title: 'a DTSTART line',
      body: {
        start: at('2027-03-01T09:00:00Z', 'UTC'),
        end: at('2027-03-01T10:00:00Z', 'UTC'),
        recurrence: ['DTSTART:20270301T090000Z'],
      },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a transparency of free',
      body: { ...HOUR, transparency: 'free' },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'an unknown event type',
      body: { ...HOUR, eventType: 'meeting' },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'a guest without an email address',
      body: { ...HOUR, attendees: [{ displayName: 'x' }] },
      error: [400, 'global', 'required'],
    },
    {
      title: 'six reminders',
      body: {
        ...HOUR,
        reminders: {
          useDefault: false,
          overrides: Array.from({ length: 6 }, () => ({ method: 'popup', minutes: 1 })),
        },
      },
      error: [400, 'global', 'invalid'],
    },
    { title: 'an id with capitals', body: { ...HOUR, id: 'ABCDEF' }, error: [400, 'global', 'invalid'] },
    { title: 'sendUpdates=true', body: HOUR, query: '?sendUpdates=true', error: [400, 'global', 'invalid'] },
  ])('is refused with $title', async ({ body, query, error, message }) => {
    const response = await insert(body, query);
    expect(reason(response)).toEqual(error);
    if (message !== undefined) expect(response.body.error.message).toBe(message);
  });

  test('is refused with an invalid JSON body', async () => {
    expect(reason(await ada.call('POST', EVENTS, { body: '{' }))).toEqual([400, 'global', 'parseError']);
  });

  test('keeps its own id reserved after its deletion', async () => {
    const own = { ...HOUR, id: 'ourevent1' };
    expect((await insert(own)).status).toBe(200);
    expect(reason(await insert(own))).toEqual([409, 'global', 'duplicate']);
    await ada.call('DELETE', `${EVENTS}/ourevent1`);
    expect(reason(await insert(own))).toEqual([409, 'global', 'duplicate']);
  });

  test('is deleted once with status 204 and stays readable as cancelled', async () => {
    const { body } = await insert(HOUR);
    const deleted = await ada.call('DELETE', `${EVENTS}/${body.id}`);
    expect([deleted.status, deleted.body]).toEqual([204, undefined]);
    expect(reason(await ada.call('DELETE', `${EVENTS}/${body.id}`))).toEqual([410, 'global', 'deleted']);
    expect((await get(body.id)).body).toMatchObject({ id: body.id, status: 'cancelled' });
    expect(items(await list({ q: 'One hour' }))).toEqual([]);
    expect(items(await list({ q: 'One hour', showDeleted: 'true' }))).toHaveLength(1);
    expect(reason(await ada.call('DELETE', `${EVENTS}/never`))).toEqual([404, 'global', 'notFound']);
  });

  test('can be accepted but not changed by a guest', async () => {
    expect(reason(await patch('seedplanning', { summary: 'Mine now' }))).toEqual([
      403,
      'calendar',
      'forbiddenForNonOrganizer',
    ]);
    const patched = await patch('seedplanning', {
      attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }],
    });
    expect(patched.body.attendees).toMatchObject([
      { email: 'ada@example.com', responseStatus: 'accepted', self: true },
    ]);
  });

  test('lasts whole days if it has dates, and changes to times when the dates are null', async () => {
    const { body } = await insert({
      summary: 'Day',
      start: { date: '2027-03-01' },
      end: { date: '2027-03-02' },
    });
    expect([body.start, body.end]).toEqual([{ date: '2027-03-01' }, { date: '2027-03-02' }]);
    expect(
      (await patch(body.id, { start: at('2027-03-01T09:00:00Z'), end: at('2027-03-01T10:00:00Z') })).status,
    ).toBe(400);
    const timed = await patch(body.id, {
      start: { date: null, dateTime: '2027-03-01T09:00:00Z' },
      end: { date: null, dateTime: '2027-03-01T10:00:00Z' },
    });
    expect(timed.body.start.dateTime).toBe('2027-03-01T09:00:00Z');
  });
});

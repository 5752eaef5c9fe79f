import { beforeEach, describe, expect, test } from 'vitest';
import { ada, EVENTS, get, HOUR, insert, items, list, patch, reason, sandbox, useCalendar } from './setup.js';

useCalendar();

let team = '';
let holidays = '';
beforeEach(async () => {
  const calendars = items(await ada.call('GET', '/calendar/v3/users/me/calendarList'));
  team = calendars.find((one) => one.accessRole === 'owner' && !one.primary).id;
  holidays = calendars.find(({ accessRole }) => accessRole === 'reader').id;
});

const move = (id: string, destination: string) =>
  ada.call('POST', `${EVENTS}/${id}/move?destination=${encodeURIComponent(destination)}`);

describe('a move of an event', () => {
  test('is refused without write access to the destination, or for a guest', async () => {
    const { id } = (await insert(HOUR)).body;
    expect(reason(await move(id, holidays))).toEqual([403, 'calendar', 'requiredAccessLevel']);
    expect(reason(await move('seedplanning', team))).toEqual([403, 'calendar', 'forbiddenForNonOrganizer']);
    expect((await get(id)).body.status).toBe('confirmed');
  });

  test('is refused for a special event type', async () => {
    const { id } = (await insert({ ...HOUR, eventType: 'focusTime' })).body;
    expect((await move(id, team)).status).toBe(400);
  });

  test('includes the exceptions of a series and reports them as cancelled in the old calendar', async () => {
    const [start, end] = [HOUR.start, HOUR.end].map((time) => ({ ...time, timeZone: 'UTC' }));
    const { id } = (await insert({ ...HOUR, start, end, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })).body;
    const exception = `${id}_20270302T090000Z`;
    await patch(exception, { summary: 'another' });
    const { nextSyncToken: syncToken } = (await list({})).body;
    expect((await move(id, team)).body.organizer.email).toBe(team);
    const there = await ada.call(
      'GET',
      `/calendar/v3/calendars/${encodeURIComponent(team)}/events/${id}/instances`,
    );
    expect(items(there).map(({ summary }) => summary)).toEqual([HOUR.summary, 'another']);
    const left = items(await list({ syncToken })).map((one) => [one.id, one.status]);
    expect(left).toEqual([
      [id, 'cancelled'],
      [exception, 'cancelled'],
    ]);
  });
});

describe('the iCalUID of an event', () => {
  const iCalUID = 'abc@elsewhere.example';

  test.each(['', '/import'])('is kept after a POST to events%s, and finds the event', async (path) => {
    const { body } = await ada.call('POST', `${EVENTS}${path}`, { body: { ...HOUR, iCalUID } });
    expect(body.iCalUID).toBe(iCalUID);
    await patch(body.id, { summary: 'patched', iCalUID: 'other@elsewhere.example' });
    const { status, body: put } = await ada.call('PUT', `${EVENTS}/${body.id}`, { body: HOUR });
    expect([status, put.iCalUID]).toEqual([200, iCalUID]);
    expect(items(await list({ iCalUID }))).toMatchObject([{ id: body.id }]);
  });

  test('is unique in a calendar, and an import with it replaces the event', async () => {
    const { body } = await insert({ ...HOUR, iCalUID });
    expect(reason(await insert({ ...HOUR, iCalUID }))).toEqual([409, 'global', 'duplicate']);
    const again = await ada.call('POST', `${EVENTS}/import`, { body: { ...HOUR, iCalUID } });
    expect([again.status, again.body.id]).toEqual([200, body.id]);
  });
});

test('treats null fields as absent', async () => {
  const times = { start: { ...HOUR.start, date: null }, end: { ...HOUR.end, date: null, timeZone: null } };
  const made = await insert({ ...HOUR, ...times, id: null, description: null, attendees: null });
  expect([made.status, made.body.description]).toEqual([200, undefined]);
  const put = await ada.call('PUT', `${EVENTS}/${made.body.id}`, {
    body: { ...HOUR, ...times, recurrence: null, location: null },
  });
  expect([put.status, put.body.start]).toEqual([200, made.body.start]);
});

test('refuses default reminders together with overrides', async () => {
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] };
  const { id } = (await insert({ ...HOUR, reminders })).body;
  expect(reason(await patch(id, { reminders: { useDefault: true } }))).toEqual([
    400,
    'calendar',
    'cannotUseDefaultRemindersAndSpecifyOverride',
  ]);
});

test('returns busy times in the requested time zone', async () => {
  await insert(HOUR);
  const span = { timeMin: '2027-03-01T00:00:00Z', timeMax: '2027-03-02T00:00:00Z' };
  const move = (body: object) =>
    ada.call('POST', '/calendar/v3/freeBusy', { body: { ...span, items: [{ id: 'primary' }], ...body } });
  const busy = { start: '2027-03-01T10:00:00+01:00', end: '2027-03-01T11:00:00+01:00' };
  expect((await move({ timeZone: 'Europe/Berlin' })).body.calendars.primary.busy).toEqual([busy]);
  expect((await move({})).body.calendars.primary.busy[0].start).toBe('2027-03-01T09:00:00Z');
});

test.each([
  { type: 'application/x-www-form-urlencoded', expected: [400, 'global', 'parseError'] },
  { type: 'text/plain;charset=UTF-8', expected: [400, 'global', 'badContent'] },
])('refuses a body with the content type $type', async ({ type, expected }) => {
  const headers = { 'content-type': type };
  expect(reason(await ada.call('POST', EVENTS, { body: HOUR, headers }))).toEqual(expected);
});

test('accepts the token in either query parameter and hides it in the request log', async () => {
  const headers = { authorization: '' };
  for (const name of ['access_token', 'oauth_token']) {
    expect((await ada.call('GET', `${EVENTS}?${name}=${ada.token}`, { headers })).status).toBe(200);
    expect((await sandbox.requests('calendar')).at(-1)?.query).toEqual({ [name]: '[hidden]' });
  }
});

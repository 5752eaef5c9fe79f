import { describe, expect, test } from 'vitest';
import { ada, HOUR, items, reason, useCalendar } from './setup.js';

useCalendar();

describe('the calendar list', () => {
  const calendars = (query = '') => ada.call('GET', `/calendar/v3/users/me/calendarList${query}`);

  test('has one primary calendar and omits hidden ones by default', async () => {
    const { body } = await calendars();
    expect(body).toMatchObject({ kind: 'calendar#calendarList', nextSyncToken: expect.any(String) });
    expect(body.items.filter(({ primary }: { primary?: boolean }) => primary)).toMatchObject([
      { kind: 'calendar#calendarListEntry', id: 'ada@example.com', accessRole: 'owner' },
    ]);
    expect(body.items).toHaveLength(3);
    expect(items(await calendars('?showHidden=true'))).toHaveLength(4);
    expect(items(await calendars('?minAccessRole=writer'))).toHaveLength(2);
  });

  test('is split into pages', async () => {
    const first = await calendars('?maxResults=2');
    expect(first.body.nextSyncToken).toBeUndefined();
    const second = await calendars(`?maxResults=2&pageToken=${first.body.nextPageToken}`);
    expect([...items(first), ...items(second)]).toHaveLength(3);
    expect(second.body.nextPageToken).toBeUndefined();
  });

  test('accepts a maxResults above the maximum', async () => {
    expect((await calendars('?maxResults=251')).status).toBe(200);
  });

  test.each([
    { query: 'maxResult=5' },
    { query: 'maxResults=0' },
    { query: 'minAccessRole=boss' },
    { query: 'pageToken=x' },
    { query: 'showHidden=yes' },
    { query: 'maxResults=2&maxResults=3' },
  ])('refuses $query', async ({ query }) => {
    expect(reason(await calendars(`?${query}`))).toEqual([400, 'global', 'invalid']);
  });

  test('refuses a sync token together with minAccessRole', async () => {
    const { body } = await calendars();
    expect((await calendars(`?syncToken=${body.nextSyncToken}`)).body.items).toEqual([]);
    expect((await calendars(`?syncToken=${body.nextSyncToken}&minAccessRole=owner`)).status).toBe(400);
  });

  test('finds the encoded id of a public calendar and refuses writes to it', async () => {
    const id = encodeURIComponent('en.uk#holiday@group.v.calendar.google.com');
    expect(items(await ada.call('GET', `/calendar/v3/calendars/${id}/events`))).toHaveLength(1);
    expect((await ada.call('POST', `/calendar/v3/calendars/${id}/events`, { body: HOUR })).status).toBe(403);
    expect(reason(await ada.call('GET', '/calendar/v3/calendars/nobody%40example.com/events'))).toEqual([
      404,
      'global',
      'notFound',
    ]);
  });
});

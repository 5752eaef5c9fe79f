import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiResponse } from '../authorized.js';
import {
  ada,
  approveAgain,
  at,
  EVENTS,
  HOUR,
  insert,
  items,
  list,
  reason,
  sandbox,
  useCalendar,
} from './setup.js';

useCalendar();

describe('the list of events', () => {
  beforeEach(async () => {
    for (const hour of ['09', '11', '10']) {
      await insert({
        summary: `Listed ${hour}`,
        start: at(`2027-03-01T${hour}:00:00Z`),
        end: at(`2027-03-01T${hour}:30:00Z`),
      });
    }
  });
  const summaries = (response: ApiResponse) => items(response).map(({ summary }) => summary);

  test.each([
    {
      title: 'timeMin excludes an event that ends then',
      query: { timeMin: '2027-03-01T09:30:00Z', timeMax: '2027-03-02T00:00:00Z' },
      hours: ['10', '11'],
    },
    {
      title: 'timeMin includes an event that is running then',
      query: { timeMin: '2027-03-01T09:29:00Z', timeMax: '2027-03-02T00:00:00Z' },
      hours: ['09', '10', '11'],
    },
    {
      title: 'timeMax excludes an event that starts then',
      query: { timeMin: '2027-03-01T00:00:00Z', timeMax: '2027-03-01T11:00:00Z' },
      hours: ['09', '10'],
    },
    {
      title: 'offsets of the bounds are applied',
      query: { timeMin: '2027-03-01T11:00:00+01:00', timeMax: '2027-03-01T10:01:00Z' },
      hours: ['10'],
    },
  ])('is bounded: $title', async ({ query, hours }) => {
    const response = await list({ ...query, q: 'Listed', singleEvents: 'true', orderBy: 'startTime' });
    expect(summaries(response)).toEqual(hours.map((hour) => `Listed ${hour}`));
  });

  test.each([
    {
      title: 'a bound without offset',
      query: { timeMin: '2027-03-01T00:00:00' },
      error: [400, 'global', 'badRequest'],
    },
    {
      title: 'bounds in the wrong order',
      query: { timeMin: '2027-03-02T00:00:00Z', timeMax: '2027-03-01T00:00:00Z' },
      error: [400, 'calendar', 'timeRangeEmpty'],
    },
    {
      title: 'an order by start time without singleEvents',
      query: { orderBy: 'startTime' },
      error: [400, 'global', 'badRequest'],
    },
    { title: 'an unknown order', query: { orderBy: 'summary' }, error: [400, 'global', 'invalid'] },
    { title: 'a maxResults of 0', query: { maxResults: '0' }, error: [400, 'global', 'invalid'] },
    { title: 'an unknown parameter', query: { 'start-min': 'x' }, error: [400, 'global', 'invalid'] },
    {
      title: 'an invalid flag',
      query: { showHiddenInvitations: '1' },
      error: [400, 'global', 'invalid'],
    },
    {
      title: 'an updatedMin in the distant past',
      query: { updatedMin: '2020-01-01T00:00:00Z' },
      error: [410, 'calendar', 'updatedMinTooLongAgo'],
    },
    {
      title: 'an invalid sync token',
      query: { syncToken: 'x' },
      error: [410, 'calendar', 'fullSyncRequired'],
    },
  ])('refuses $title', async ({ query, error }) => {
    expect(reason(await list(query))).toEqual(error);
  });

  test('is split into pages, whose tokens are bound to the filters', async () => {
    const query = { q: 'Listed', singleEvents: 'true', orderBy: 'startTime', maxResults: '2' };
    const first = await list(query);
    expect(first.body).toMatchObject({
      kind: 'calendar#events',
      summary: 'ada@example.com',
      timeZone: 'Europe/London',
      accessRole: 'owner',
    });
    const second = await list({ ...query, pageToken: first.body.nextPageToken });
    expect([...summaries(first), ...summaries(second)]).toEqual(['Listed 09', 'Listed 10', 'Listed 11']);
    expect(second.body.nextPageToken).toBeUndefined();
    expect((await list({ ...query, q: 'Other', pageToken: first.body.nextPageToken })).status).toBe(400);
  });

  test('returns changes and deletions after a sync token until the token expires', async () => {
    const { nextSyncToken } = (await list({})).body;
    const { body } = await insert(HOUR);
    await ada.call('DELETE', `${EVENTS}/seedlunch`);
    const changes = await list({ syncToken: nextSyncToken });
    expect(
      items(changes)
        .map(({ id, status }) => [id, status])
        .sort(),
    ).toEqual(
      [
        [body.id, 'confirmed'],
        ['seedlunch', 'cancelled'],
      ].sort(),
    );
    expect(items(await list({ syncToken: changes.body.nextSyncToken }))).toEqual([]);
    expect((await list({ syncToken: nextSyncToken, q: 'x' })).status).toBe(400);
    await sandbox.clock.advance(31 * 24 * 3600 * 1000);
    await approveAgain();
    expect(reason(await list({ syncToken: nextSyncToken }))).toEqual([410, 'calendar', 'fullSyncRequired']);
  });

  test('returns times in the requested time zone', async () => {
    const response = await list({ q: 'Listed 09', timeZone: 'Asia/Tokyo' });
    expect(response.body.timeZone).toBe('Asia/Tokyo');
    expect(items(response)[0].start).toEqual({
      dateTime: '2027-03-01T18:00:00+09:00',
      timeZone: 'Europe/London',
    });
  });
});

import { describe, expect, test } from 'vitest';
import { ada, EVENTS, HOUR, insert, items, list, patch, useCalendar } from './setup.js';

useCalendar();

const LIST = '/calendar/v3/users/me/calendarList';
const idsOf = (response: Awaited<ReturnType<typeof list>>) => items(response).map(({ id }) => id);

/** Reads all pages of a list and runs `between` after the first page, to change the data during paging. */
async function readAll(query: Record<string, string>, between: (first: string[]) => Promise<unknown>) {
  let response = await list(query);
  const ids = idsOf(response);
  await between(ids);
  while (response.body.nextPageToken !== undefined) {
    response = await list({ ...query, pageToken: response.body.nextPageToken });
    ids.push(...idsOf(response));
  }
  return { ids, syncToken: response.body.nextSyncToken };
}

describe('a paged read during changes', () => {
  test('leaves each change to the next sync', async () => {
    const { syncToken } = await readAll({ maxResults: '1' }, async ([id = '']) => {
      await patch(id, { summary: 'changed' });
      await insert({ ...HOUR, summary: 'new' });
    });
    const next = await list({ syncToken });
    expect(items(next).map(({ summary }) => summary)).toEqual(['changed', 'new']);
    expect(items(await list({ syncToken: next.body.nextSyncToken }))).toEqual([]);
  });

  test('returns every event even if an event of an earlier page is deleted', async () => {
    const all = idsOf(await list({}));
    const { ids, syncToken } = await readAll({ maxResults: '1' }, ([id = '']) =>
      ada.call('DELETE', `${EVENTS}/${id}`),
    );
    expect(ids).toEqual(all);
    expect(items(await list({ syncToken }))).toMatchObject([{ id: all[0], status: 'cancelled' }]);
  });
});

test('a bounded first read returns a sync token, and a sorted one does not', async () => {
  const timeMin = '2027-01-01T00:00:00Z';
  const { body } = await list({ timeMin, timeMax: '2028-01-01T00:00:00Z', singleEvents: 'true' });
  await insert(HOUR);
  expect(items(await list({ syncToken: body.nextSyncToken, singleEvents: 'true' }))).toHaveLength(1);
  expect((await list({ timeMin, orderBy: 'updated' })).body).not.toHaveProperty('nextSyncToken');
});

test('a deleted series is returned as cancelled instances', async () => {
  const [start, end] = [HOUR.start, HOUR.end].map((time) => ({ ...time, timeZone: 'UTC' }));
  const { id } = (await insert({ ...HOUR, start, end, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })).body;
  const { syncToken } = await readAll({ singleEvents: 'true' }, async () => {});
  await ada.call('DELETE', `${EVENTS}/${id}`);
  const cancelled = [`${id}_20270301T090000Z`, `${id}_20270302T090000Z`];
  const sync = await list({ singleEvents: 'true', syncToken });
  expect(items(sync)).toMatchObject(cancelled.map((one) => ({ id: one, status: 'cancelled' })));
  const inMarch = { singleEvents: 'true', timeMin: HOUR.start.dateTime, timeMax: '2027-03-03T00:00:00Z' };
  expect(idsOf(await list({ ...inMarch, showDeleted: 'true' }))).toEqual(expect.arrayContaining(cancelled));
  expect(idsOf(await list(inMarch))).not.toContain(cancelled[0]);
});

describe('the sync of the calendar list', () => {
  const read = (query = '') => ada.call('GET', `${LIST}?${query}`);
  const own = (id: string) => `/calendar/v3/calendars/${encodeURIComponent(id)}`;

  test('returns created, changed and deleted calendars', async () => {
    const made = await ada.call('POST', '/calendar/v3/calendars', {
      body: { summary: 'New', location: 'Turin' },
    });
    expect(made.body).toMatchObject({ summary: 'New', location: 'Turin' });
    const first = await read();
    expect(items(await read(`syncToken=${first.body.nextSyncToken}`))).toEqual([]);
    await ada.call('PATCH', own(made.body.id), { body: { summary: 'Newer' } });
    await ada.call('PATCH', `${LIST}/primary`, { body: { hidden: true } });
    const second = await read(`syncToken=${first.body.nextSyncToken}`);
    expect(items(second)).toMatchObject([{ hidden: true }, { summary: 'Newer', location: 'Turin' }]);
    await ada.call('DELETE', own(made.body.id));
    const deleted = { id: made.body.id, deleted: true };
    expect(items(await read(`syncToken=${second.body.nextSyncToken}`))).toMatchObject([deleted]);
    expect(idsOf(await read())).not.toContain(deleted.id);
    expect(items(await read('showDeleted=true'))).toContainEqual(expect.objectContaining(deleted));
  });

  test('accepts a removed foreign calendar again and refuses a deleted own one', async () => {
    const id = items(await read()).find(({ accessRole }) => accessRole === 'reader').id;
    const team = items(await read()).find((one) => one.accessRole === 'owner' && !one.primary).id;
    await ada.call('DELETE', `${LIST}/${encodeURIComponent(id)}`);
    await ada.call('DELETE', own(team));
    expect((await ada.call('POST', LIST, { body: { id } })).body).toMatchObject({ id });
    expect(idsOf(await read())).toContain(id);
    expect((await ada.call('POST', LIST, { body: { id: team } })).status).toBe(404);
  });
});

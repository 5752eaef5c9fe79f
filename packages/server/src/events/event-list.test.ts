import { expect, test } from 'vitest';
import { SERVICE_EVENT } from '../../test/support/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service-parts.js';
import { EVENT_TYPES } from '../names/event-types.js';
import { INDEXED_RULES } from '../storage/retention-rules.js';
import { createCheckTypes } from './check-types.js';
import { createEventList } from './event-list.js';

/** Stores events with the ids `evt_1` to `evt_<count>`, of which each is 1 ms older than the next one. */
async function create(count: number) {
  const parts = await createServiceParts();
  const { clock, storage, vault } = parts;
  const applicationId = await addApplication(parts, 'Shop');
  const { seq: _, ...event } = { ...SERVICE_EVENT, applicationId };
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await storage.events.insert(
    numbers.map((number) => ({ ...event, id: `evt_${number}`, at: number, position: number })),
  );
  const checkTypes = createCheckTypes(EVENT_TYPES);
  const eventList = createEventList({ storage, vault, checkTypes, now: clock.now });
  const list = async (filter: Parameters<typeof eventList.list>[1]) => {
    const { items, nextPageToken } = await eventList.list(applicationId, filter);
    return { ids: items.map(({ id }) => id), nextPageToken };
  };
  const deleteUntil = async (time: number): Promise<void> => {
    const rule = INDEXED_RULES.find(({ table }) => table === 'events');
    if (rule) await storage.expiredRows.deleteOldest(rule, time);
  };
  return { applicationId, eventList, list, deleteUntil };
}

test('a page token works after retention has deleted the event that it was made for', async () => {
  const { list, deleteUntil } = await create(4);
  const { ids, nextPageToken } = await list({ pageSize: 2 });
  expect(ids).toEqual(['evt_1', 'evt_2']);
  await deleteUntil(2);
  expect(await list({ pageSize: 2, pageToken: nextPageToken })).toEqual({ ids: ['evt_3', 'evt_4'] });
});

test('a reader that waited for longer than the retention time gets the next events', async () => {
  const { applicationId, eventList, list, deleteUntil } = await create(3);
  const pageToken = eventList.tokenAfter(await eventList.cursorOf(applicationId, { after: 'evt_2' }));
  await deleteUntil(2);
  expect((await list({ pageToken })).ids).toEqual(['evt_3']);
  await expect(list({ after: 'evt_2' })).rejects.toMatchObject({ code: 'invalid_request' });
});

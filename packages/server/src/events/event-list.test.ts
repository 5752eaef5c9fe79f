import { expect, test, vi } from 'vitest';
import { SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { createBodyMemory, NO_MEMORY } from '../concurrency/body-memory.js';
import { EVENT_TYPES } from '../names/event-types.js';
import { secret } from '../secret.js';
import { INDEXED_RULES } from '../storage/retention-rules.js';
import { createCheckTypes } from './check-types.js';
import { createEventList, type EventFilter } from './event-list.js';
import { createOpenBody, payloadLocation } from './event-payload.js';

const KIB = 1024;
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(64 * KIB) });

/**
 * Stores events with the ids `evt_1` to `evt_<count>`, each 1 ms older than the next one. `payload`: JSON text of each
 * event's payload. The memory for payloads is 8 MiB; one application may use half of it.
 */
async function create(count: number, payload?: string) {
  const parts = await createServiceParts();
  const { clock, storage, vault } = parts;
  const applicationId = await addApplication(parts, 'Shop');
  const { seq: _, ...event } = { ...SERVICE_EVENT, applicationId, body: '{"data":{"payload":null}}' };
  for (let number = 1; number <= count; number += 1) {
    const row = { ...event, id: `evt_${number}`, at: number, position: number };
    const sealed = payload && (await vault.seal(payloadLocation(row), secret(payload)));
    await storage.events.insert([{ ...row, payload: sealed ?? null }]);
  }
  const checkTypes = createCheckTypes(EVENT_TYPES);
  const memory = createBodyMemory(8 * KIB * KIB);
  const openBody = createOpenBody({ vault, onUnreadable: () => undefined });
  const eventList = createEventList({ storage, openBody, memory, checkTypes, now: clock.now });
  const sent = Promise.withResolvers<void>();
  const list = async (filter: EventFilter, whenSent: Promise<void> = Promise.resolve()) => {
    const { items, nextPageToken } = await eventList.list(applicationId, { filter, whenSent });
    return { ids: items.map(({ id }) => id), nextPageToken };
  };
  const deleteUntil = async (time: number): Promise<void> => {
    const rule = INDEXED_RULES.find(({ table }) => table === 'events');
    if (rule) await storage.expiredRows.deleteOldest(rule, time);
  };
  return { applicationId, eventList, list, deleteUntil, memory, sent, storage };
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

test('F5: a page reserves four times the stored length of its payloads until it is sent', async () => {
  const { list, memory, sent } = await create(4, PAYLOAD);
  expect((await list({}, sent.promise)).ids).toHaveLength(4);
  expect(memory.usedBytes()).toBeGreaterThan(4 * 4 * PAYLOAD.length);
  expect(memory.usedBytes()).toBeLessThan(6 * 4 * PAYLOAD.length);
  sent.resolve();
  await new Promise(setImmediate);
  expect(memory.usedBytes()).toBe(0);
});

test('F5: a page ends before the first payload that does not fit into the free memory', async () => {
  const { list, memory, sent } = await create(20, PAYLOAD);
  const { ids, nextPageToken } = await list({}, sent.promise);
  expect(ids).toHaveLength(11);
  sent.resolve();
  await new Promise(setImmediate);
  expect((await list({ pageToken: nextPageToken })).ids).toEqual([
    'evt_12',
    'evt_13',
    'evt_14',
    'evt_15',
    'evt_16',
    'evt_17',
    'evt_18',
    'evt_19',
    'evt_20',
  ]);
  await new Promise(setImmediate);
  expect(memory.usedBytes()).toBe(0);
});

test('F5: a page has one event if the memory has no room for several', async () => {
  const { applicationId, list, memory, sent } = await create(3, PAYLOAD);
  memory.open(applicationId).take(3.5 * KIB * KIB);
  const { ids, nextPageToken } = await list({}, sent.promise);
  expect(ids).toEqual(['evt_1']);
  sent.resolve();
  await new Promise(setImmediate);
  expect((await list({ pageToken: nextPageToken }, new Promise(() => undefined))).ids).toEqual(['evt_2']);
});

test('F5: without free memory, a list and an event with payloads are refused before they are read', async () => {
  const { applicationId, eventList, list, memory, storage } = await create(1, PAYLOAD);
  memory.open(applicationId).take(4 * KIB * KIB);
  const read = vi.spyOn(storage.events, 'listPayloads');
  const error = { code: 'unavailable', details: { reason: NO_MEMORY, retryAfter: 1 } };
  await expect(list({})).rejects.toMatchObject(error);
  await expect(eventList.get(applicationId, 'evt_1', Promise.resolve())).rejects.toMatchObject(error);
  expect(read).not.toHaveBeenCalled();
});

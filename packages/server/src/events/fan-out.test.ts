import { expect, test } from 'vitest';
import { ENDPOINT, SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { INDEXED_RULES } from '../storage/retention-rules.js';
import { createFanOut } from './fan-out.js';

async function createParts() {
  const parts = await createServiceParts();
  const applicationId = await addApplication(parts, 'Shop');
  const { events, transaction, webhookEndpoints } = parts.storage;
  await webhookEndpoints.insert({ ...ENDPOINT, applicationId });
  const { seq: _, ...event } = SERVICE_EVENT;
  const add = (id: string) => events.insert([{ ...event, applicationId, id, position: null }]);
  const list = async (after: number) =>
    (await events.list(applicationId, { after, limit: 500 })).rows.map(({ id, position }) => ({
      id,
      position: position ?? 0,
    }));
  return { ...parts, applicationId, add, list, transaction, fanOut: createFanOut(parts) };
}

test('events get positions in the order of their insertion, over several steps', async () => {
  const { add, list, fanOut } = await createParts();
  const ids = Array.from({ length: 450 }, (_, index) => `evt_${index}`);
  for (const id of ids) await add(id);
  while (await fanOut());
  const listed = await list(0);
  expect(listed.map(({ id }) => id)).toEqual(ids);
  const positions = listed.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  expect(new Set(positions).size).toBe(ids.length);
});

test('while many events wait, a step takes events of each application', async () => {
  const parts = await createParts();
  const { add, applicationId, fanOut, storage } = parts;
  const other = await addApplication(parts, 'Other');
  for (let index = 0; index < 450; index += 1) await add(`evt_${index}`);
  const { seq: _, ...event } = SERVICE_EVENT;
  await storage.events.insert([{ ...event, applicationId: other, id: 'evt_other', position: null }]);
  const countOf = async (id: string) => (await storage.events.list(id, { after: 0, limit: 500 })).rows.length;
  expect(await fanOut()).toBe(true);
  expect([await countOf(applicationId), await countOf(other)]).toEqual([200, 0]);
  expect(await fanOut()).toBe(true);
  expect([await countOf(applicationId), await countOf(other)]).toEqual([300, 1]);
  while (await fanOut());
  expect(await countOf(applicationId)).toBe(450);
});

test('concurrent steps give every event one position and one delivery', async () => {
  const { add, list, fanOut, applicationId, storage } = await createParts();
  for (let index = 0; index < 40; index += 1) await add(`evt_${index}`);
  await Promise.all([fanOut(), fanOut(), fanOut(), fanOut()]);
  expect(await list(0)).toHaveLength(40);
  const { rows } = await storage.eventDeliveries.list(applicationId, { limit: 100 });
  expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(40);
  expect(rows).toHaveLength(40);
});

test('an event whose transaction commits late never appears before events that were read', async () => {
  const { add, list, fanOut, applicationId, storage } = await createParts();
  const { seq: _, ...event } = SERVICE_EVENT;
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const late = storage.transaction(async ({ events }) => {
    await events.insert([{ ...event, applicationId, id: 'evt_late', position: null }]);
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  const early = add('evt_early');
  // Ends the race after 200 ms, because SQLite runs one transaction at a time and so writes the second event only after
  // the first one.
  await Promise.race([early, new Promise((resolve) => setTimeout(resolve, 200))]);
  const fanned = fanOut();
  await Promise.race([fanned, new Promise((resolve) => setTimeout(resolve, 200))]);
  end.resolve();
  await Promise.all([late, early, fanned]);
  const before = await list(0);
  await fanOut();
  const all = await list(0);
  expect(all.slice(0, before.length)).toEqual(before);
  expect(all.map(({ id }) => id).toSorted()).toEqual(['evt_early', 'evt_late']);
});

test('the next delivery of an account is sent after retention has deleted the one that it waits for', async () => {
  const { fanOut, applicationId, storage } = await createParts();
  const { seq: _, ...event } = { ...SERVICE_EVENT, applicationId, position: null, accountId: 'acct_1' };
  await storage.webhookEndpoints.change({ ...ENDPOINT, applicationId }, { ordered: 1 });
  await storage.events.insert([
    event,
    ...['evt_2', 'evt_3'].map((id) => ({ ...event, id, at: event.at + 1 })),
  ]);
  await fanOut();
  const rule = INDEXED_RULES.find(({ table }) => table === 'events');
  if (rule === undefined) throw new Error('Events have no retention rule.');
  expect(await storage.expiredRows.deleteOldest(rule, event.at)).toBe(1);
  await storage.events.insert([{ ...event, id: 'evt_4' }]);
  await fanOut();
  const { rows } = await storage.eventDeliveries.list(applicationId, { limit: 10 });
  const due = rows.map(({ eventId, nextAt }) => [eventId, nextAt !== null] as const);
  expect(Object.fromEntries(due)).toEqual({ evt_2: true, evt_3: false, evt_4: false });
});

import { expect, test, vi } from 'vitest';
import { SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { createBodyMemory, NO_MEMORY } from '../concurrency/body-memory.js';
import { secret } from '../secret.js';
import { createOpenBody, payloadLocation } from './event-payload.js';
import { createWithBody } from './with-body.js';

const KIB = 1024;
const BUDGET = 1024 * KIB;

/**
 * Stores an event with this encrypted payload. The memory for payloads is 1 MiB; one application may use half of it.
 */
async function create(payload: string | null) {
  const parts = await createServiceParts();
  const { storage, vault } = parts;
  const applicationId = await addApplication(parts, 'Shop');
  const { seq: _, ...event } = { ...SERVICE_EVENT, applicationId, body: '{"data":{"payload":null}}' };
  const sealed = payload === null ? null : await vault.seal(payloadLocation(event), secret(payload));
  await storage.events.insert([{ ...event, payload: sealed }]);
  const [stored] = await storage.events.listBodies([event]);
  if (stored === undefined) throw new Error('The event was not stored.');
  const memory = createBodyMemory(BUDGET);
  const withBody = createWithBody({
    storage,
    openBody: createOpenBody({ vault, onUnreadable: () => undefined }),
    memory,
  });
  return { storage, memory, send: (work: (body: string) => Promise<unknown>) => withBody(stored, work) };
}

test('F5: a payload reserves four times its stored length until it is sent', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(8 * KIB) });
  const { send, memory } = await create(text);
  let used = 0;
  const body = await send(async (complete) => {
    used = memory.usedBytes();
    return complete;
  });
  expect(body).toBe(`{"data":{"payload":${text}}}`);
  expect(used).toBeGreaterThan(4 * text.length);
  expect(used).toBeLessThan(6 * text.length);
  expect(memory.usedBytes()).toBe(0);
});

test('small payloads of one application are sent at the same time', async () => {
  const { send } = await create('{}');
  const isOver = Promise.withResolvers<void>();
  let running = 0;
  const sent = Array.from({ length: 100 }, () =>
    send(() => {
      running += 1;
      return isOver.promise;
    }),
  );
  await vi.waitFor(() => expect(running).toBe(100), 20_000);
  isOver.resolve();
  await Promise.all(sent);
});

test('F5: a payload that does not fit into the free memory is not read', async () => {
  const { send, storage } = await create(JSON.stringify({ text: 'x'.repeat(128 * KIB) }));
  const read = vi.spyOn(storage.events, 'listPayloads');
  await expect(send(async () => undefined)).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: NO_MEMORY, retryAfter: 1 },
  });
  expect(read).not.toHaveBeenCalled();
});

test('an event without a payload reserves no memory and needs no query', async () => {
  const { send, memory, storage } = await create(null);
  const read = vi.spyOn(storage.events, 'listPayloads');
  await send(async () => expect(memory.usedBytes()).toBe(0));
  expect(read).not.toHaveBeenCalled();
});

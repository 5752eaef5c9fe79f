import { expect, test } from 'vitest';
import { setUp } from '../../test/support/tools/sample-tools.js';
import { createBodyMemory } from '../concurrency/body-memory.js';

const MIB = 1024 * 1024;
const body = JSON.stringify('x'.repeat(3 * MIB))
  .replace(/^/, '[')
  .concat(']');

/** Fills the memory of an application with results that the client has not received yet. */
async function fillMemory(applicationId: string) {
  const memory = createBodyMemory(16 * MIB);
  const upstream = setUp([{ body }], { memory });
  const sent = Promise.withResolvers<void>();
  const request = { applicationId, whenSent: sent.promise };
  const full = await Promise.allSettled([1, 2, 3].map(() => upstream.call('sample_get', request)));
  return { call: upstream.call, requests: upstream.sent, memory, sent, full };
}

test('F5: responses in memory block further calls of their application, and not of others', async () => {
  const { call, full, sent } = await fillMemory('app_1');
  expect(full.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(full[2]).toMatchObject({ reason: { code: 'unavailable', status: 503, details: { retryAfter: 1 } } });
  await expect(call('sample_get')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(call('sample_get', { applicationId: 'app_2' })).resolves.toMatchObject({
    data: [expect.any(String)],
  });
  sent.resolve();
  await expect.poll(() => call('sample_get').then(() => true)).toBe(true);
});

test('F5: a write without memory for its response reports success, and one without any is not sent', async () => {
  const { call, requests, memory } = await fillMemory('app_1');
  await expect(call('sample_create')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { repeatable: false },
  });
  const count = requests.length;
  while (memory.open('app_1').tryTake(1024));
  await expect(call('sample_create')).rejects.toMatchObject({ code: 'unavailable' });
  expect(requests.length).toBe(count);
});

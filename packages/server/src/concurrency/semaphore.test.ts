import { expect, test } from 'vitest';
import { createKeyedSemaphore, createSemaphore } from './semaphore.js';

test('a semaphore runs one work per permit, in order, and refuses work that times out', async () => {
  const withPermit = createSemaphore(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = withPermit(() => promise.then(() => 'first'), 0);
  expect(await withPermit(async () => 'too late', 1)).toBeUndefined();
  const second = withPermit(async () => 'second', 60_000);
  resolve();
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  expect(await withPermit(async () => 'third', 0)).toBe('third');
});

test('a keyed semaphore has separate permits for each key', async () => {
  const withPermit = createKeyedSemaphore({ permits: 2, waitMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const begin = (key: string, work: string) =>
    withPermit(key, async () => {
      begun.push(work);
      await promise;
      return work;
    });
  const all = [begin('a', 'first'), begin('a', 'second'), begin('a', 'third'), begin('b', 'other')];
  await expect.poll(() => begun).toEqual(['first', 'second', 'other']);
  resolve();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third', 'other']);
});

test('a failure releases the permit to the next work', async () => {
  const withPermit = createKeyedSemaphore({ permits: 1, waitMs: 60_000 });
  const failed = withPermit('a', () => Promise.reject(new Error('no')));
  const next = withPermit('a', async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});

test('work that times out resolves to undefined and never begins', async () => {
  const withPermit = createKeyedSemaphore({ permits: 1, waitMs: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = withPermit('a', () => promise);
  let hasBegun = false;
  const late = await withPermit('a', async () => {
    hasBegun = true;
  });
  resolve();
  await first;
  expect([late, hasBegun]).toEqual([undefined, false]);
});

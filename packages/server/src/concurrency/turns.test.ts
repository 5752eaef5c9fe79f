import { expect, test } from 'vitest';
import { createTurns } from './turns.js';

test('so many have a name at a time, and another name is free', async () => {
  const turns = createTurns({ atOnce: 2, waitMs: 60_000 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const take = (name: string, work: string) =>
    turns(name, async () => {
      begun.push(work);
      await promise;
      return work;
    });
  const all = [take('a', 'first'), take('a', 'second'), take('a', 'third'), take('b', 'other')];
  await expect.poll(() => begun).toEqual(['first', 'second', 'other']);
  resolve();
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third', 'other']);
});

test('a failure gives the turn to the next one', async () => {
  const turns = createTurns({ atOnce: 1, waitMs: 60_000 });
  const failed = turns('a', () => Promise.reject(new Error('no')));
  const next = turns('a', async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});

test('who waits too long is told so, and does not begin later', async () => {
  const turns = createTurns({ atOnce: 1, waitMs: 1 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = turns('a', () => promise);
  let hasBegun = false;
  const late = await turns('a', async () => {
    hasBegun = true;
  });
  resolve();
  await first;
  expect([late, hasBegun]).toEqual([undefined, false]);
});

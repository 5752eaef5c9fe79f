import { expect, test } from 'vitest';
import { createClock } from '../../test/support/service-parts.js';
import { createBriefCache } from './brief-cache.js';

const keyOf = ({ name }: { name: string }) => name;

test('keeps what was read for 5 s', async () => {
  const clock = createClock();
  const cache = createBriefCache<{ name: string }>(clock);
  const value = { name: 'a' };
  expect(await cache.fill(async () => value, keyOf)).toBe(value);
  clock.advance(4999);
  expect(cache.get('a')).toBe(value);
  clock.advance(2);
  expect(cache.get('a')).toBeUndefined();
});

test.each([
  { title: 'dropped', forget: 'drop' },
  { title: 'cleared', forget: 'clear' },
] as const)('forgets at once what is $title', async ({ forget }) => {
  const cache = createBriefCache<{ name: string }>(createClock());
  await cache.fill(async () => ({ name: 'a' }), keyOf);
  cache[forget]('a');
  expect(cache.get('a')).toBeUndefined();
});

test('does not keep what may have changed while it was read', async () => {
  const cache = createBriefCache<{ name: string }>(createClock());
  const { promise, resolve } = Promise.withResolvers<{ name: string }>();
  const reading = cache.fill(() => promise, keyOf);
  cache.drop('a');
  resolve({ name: 'a' });
  expect(await reading).toEqual({ name: 'a' });
  expect(cache.get('a')).toBeUndefined();
});

test('keeps nothing of a read that failed', async () => {
  const cache = createBriefCache<{ name: string }>(createClock());
  await expect(cache.fill(async () => Promise.reject(new Error('down')), keyOf)).rejects.toThrow('down');
  expect(cache.get('a')).toBeUndefined();
});

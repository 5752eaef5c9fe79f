import { expect, test } from 'vitest';
import { createClock } from '../../test/support/service/service-parts.js';
import { createTtlCache } from './ttl-cache.js';

const lengthOf = ({ name }: { name: string }) => name.length;
const keyOf = ({ name }: { name: string }) => name;

test.each([
  { title: '5 s', ttlMs: undefined, ms: 5000 },
  { title: 'the given time', ttlMs: 60_000, ms: 60_000 },
])('a value is cached for $title', async ({ ttlMs, ms }) => {
  const clock = createClock();
  const cache = createTtlCache<{ name: string }>({ ...clock, ttlMs, lengthOf });
  const value = { name: 'a' };
  expect(await cache.fill(async () => value, keyOf)).toBe(value);
  clock.advance(ms - 1);
  expect(cache.get('a')).toBe(value);
  clock.advance(2);
  expect(cache.get('a')).toBeUndefined();
});

test('a value is not cached for longer when the clock is set back', async () => {
  const clock = createClock();
  const cache = createTtlCache<{ name: string }>({ ...clock, lengthOf });
  await cache.fill(async () => ({ name: 'a' }), keyOf);
  clock.advance(-3_600_000);
  expect(cache.get('a')).toBeDefined();
  clock.advance(5001);
  expect(cache.get('a')).toBeUndefined();
});

test.each([
  { title: 'dropped', forget: 'drop' },
  { title: 'cleared', forget: 'clear' },
] as const)('an entry that is $title is removed at once', async ({ forget }) => {
  const cache = createTtlCache<{ name: string }>({ ...createClock(), lengthOf });
  await cache.fill(async () => ({ name: 'a' }), keyOf);
  cache[forget]('a');
  expect(cache.get('a')).toBeUndefined();
});

test('a value that may have changed during the read is not cached', async () => {
  const cache = createTtlCache<{ name: string }>({ ...createClock(), lengthOf });
  const { promise, resolve } = Promise.withResolvers<{ name: string }>();
  const reading = cache.fill(() => promise, keyOf);
  cache.drop('a');
  resolve({ name: 'a' });
  expect(await reading).toEqual({ name: 'a' });
  expect(cache.get('a')).toBeUndefined();
});

test('A5: concurrent calls share a read, and a call after a drop or much later reads again', async () => {
  const clock = createClock();
  const cache = createTtlCache<{ name: string }>({ ...clock, lengthOf });
  const reads: PromiseWithResolvers<{ name: string }>[] = [];
  const read = () =>
    cache.fillOnce(
      'a',
      () => {
        const read = Promise.withResolvers<{ name: string }>();
        reads.push(read);
        return read.promise;
      },
      keyOf,
    );
  const first = [read(), read()];
  expect(reads).toHaveLength(1);
  cache.drop('b');
  const second = read();
  expect(reads).toHaveLength(2);
  clock.advance(5001);
  const third = read();
  expect(reads).toHaveLength(3);
  const names = ['old', 'new', 'newest'];
  for (const [index, read] of reads.entries()) read.resolve({ name: names[index] ?? '' });
  const values = await Promise.all([...first, second, third]);
  expect(values.map(({ name }) => name)).toEqual(['old', 'old', 'new', 'newest']);
  void read();
  expect(reads).toHaveLength(4);
});

test('A5: a failed read rejects for all calls that share it, and the next call reads again', async () => {
  const cache = createTtlCache<{ name: string }>({ ...createClock(), lengthOf });
  const fail = () => cache.fillOnce('a', () => Promise.reject(new Error('no')), keyOf);
  for (const promise of [fail(), fail()]) await expect(promise).rejects.toThrow('no');
  expect(await cache.fillOnce('a', async () => ({ name: 'a' }), keyOf)).toEqual({ name: 'a' });
});

test('A5: the age of a value counts from the start of its read', async () => {
  const clock = createClock();
  const cache = createTtlCache<{ name: string }>({ ...clock, lengthOf });
  const { promise, resolve } = Promise.withResolvers<{ name: string }>();
  const reading = cache.fill(() => promise, keyOf);
  clock.advance(4000);
  resolve({ name: 'a' });
  await reading;
  expect(cache.get('a')).toBeDefined();
  clock.advance(1001);
  expect(cache.get('a')).toBeUndefined();
});

test('a failed read is not cached', async () => {
  const cache = createTtlCache<{ name: string }>({ ...createClock(), lengthOf });
  await expect(cache.fill(async () => Promise.reject(new Error('down')), keyOf)).rejects.toThrow('down');
  expect(cache.get('a')).toBeUndefined();
});

test('the cache limits the bytes of many small values and of a few large ones', async () => {
  const countCached = async (length: number) => {
    const cache = createTtlCache<{ name: string }>({ ...createClock(), lengthOf, maxBytes: 100_000 });
    const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(length, '-'));
    for (const name of names) await cache.fill(async () => ({ name }), keyOf);
    return names.filter((name) => cache.get(name)).length;
  };
  expect(await countCached(4)).toBeGreaterThan(200);
  const large = await countCached(4000);
  expect(large).toBeGreaterThan(5);
  expect(large * 4000).toBeLessThan(100_000);
});

import { expect, test } from 'vitest';
import { createClock } from '../../test/support/service-parts.js';
import { createBriefCache } from './brief-cache.js';

const lengthOf = ({ name }: { name: string }) => name.length;
const keyOf = ({ name }: { name: string }) => name;

test.each([
  { title: '5 s', keptMs: undefined, ms: 5000 },
  { title: 'as long as it is told', keptMs: 60_000, ms: 60_000 },
])('keeps what was read for $title', async ({ keptMs, ms }) => {
  const clock = createClock();
  const cache = createBriefCache<{ name: string }>({ ...clock, keptMs, lengthOf });
  const value = { name: 'a' };
  expect(await cache.fill(async () => value, keyOf)).toBe(value);
  clock.advance(ms - 1);
  expect(cache.get('a')).toBe(value);
  clock.advance(2);
  expect(cache.get('a')).toBeUndefined();
});

test('keeps nothing for longer because the clock is set back', async () => {
  const clock = createClock();
  const cache = createBriefCache<{ name: string }>({ ...clock, lengthOf });
  await cache.fill(async () => ({ name: 'a' }), keyOf);
  clock.advance(-3_600_000);
  expect(cache.get('a')).toBeDefined();
  clock.advance(5001);
  expect(cache.get('a')).toBeUndefined();
});

test.each([
  { title: 'dropped', forget: 'drop' },
  { title: 'cleared', forget: 'clear' },
] as const)('forgets at once what is $title', async ({ forget }) => {
  const cache = createBriefCache<{ name: string }>({ ...createClock(), lengthOf });
  await cache.fill(async () => ({ name: 'a' }), keyOf);
  cache[forget]('a');
  expect(cache.get('a')).toBeUndefined();
});

test('does not keep what may have changed while it was read', async () => {
  const cache = createBriefCache<{ name: string }>({ ...createClock(), lengthOf });
  const { promise, resolve } = Promise.withResolvers<{ name: string }>();
  const reading = cache.fill(() => promise, keyOf);
  cache.drop('a');
  resolve({ name: 'a' });
  expect(await reading).toEqual({ name: 'a' });
  expect(cache.get('a')).toBeUndefined();
});

test('A5: who ask at once share a read; who asks after something was dropped, or much later, has another', async () => {
  const clock = createClock();
  const cache = createBriefCache<{ name: string }>({ ...clock, lengthOf });
  const reads: PromiseWithResolvers<{ name: string }>[] = [];
  const ask = () =>
    cache.ask(
      'who is a?',
      () => {
        const read = Promise.withResolvers<{ name: string }>();
        reads.push(read);
        return read.promise;
      },
      keyOf,
    );
  const first = [ask(), ask()];
  expect(reads).toHaveLength(1);
  cache.drop('b');
  const second = ask();
  expect(reads).toHaveLength(2);
  clock.advance(5001);
  const third = ask();
  expect(reads).toHaveLength(3);
  const names = ['old', 'new', 'newest'];
  for (const [index, read] of reads.entries()) read.resolve({ name: names[index] ?? '' });
  const answers = await Promise.all([...first, second, third]);
  expect(answers.map(({ name }) => name)).toEqual(['old', 'old', 'new', 'newest']);
  void ask();
  expect(reads).toHaveLength(4);
});

test('A5: who shared a read that failed all hear of it, and the next one reads again', async () => {
  const cache = createBriefCache<{ name: string }>({ ...createClock(), lengthOf });
  const fail = () => cache.ask('a', () => Promise.reject(new Error('no')), keyOf);
  for (const answer of [fail(), fail()]) await expect(answer).rejects.toThrow('no');
  expect(await cache.ask('a', async () => ({ name: 'a' }), keyOf)).toEqual({ name: 'a' });
});

test('A5: what a slow database read is as old as its question, and not as its answer', async () => {
  const clock = createClock();
  const cache = createBriefCache<{ name: string }>({ ...clock, lengthOf });
  const { promise, resolve } = Promise.withResolvers<{ name: string }>();
  const reading = cache.fill(() => promise, keyOf);
  clock.advance(4000);
  resolve({ name: 'a' });
  await reading;
  expect(cache.get('a')).toBeDefined();
  clock.advance(1001);
  expect(cache.get('a')).toBeUndefined();
});

test('keeps nothing of a read that failed', async () => {
  const cache = createBriefCache<{ name: string }>({ ...createClock(), lengthOf });
  await expect(cache.fill(async () => Promise.reject(new Error('down')), keyOf)).rejects.toThrow('down');
  expect(cache.get('a')).toBeUndefined();
});

test('holds so many bytes, of many small values or of a few large ones', async () => {
  const countKept = async (length: number) => {
    const cache = createBriefCache<{ name: string }>({ ...createClock(), lengthOf, mostBytes: 100_000 });
    const names = Array.from({ length: 1000 }, (_, index) => String(index).padStart(length, '-'));
    for (const name of names) await cache.fill(async () => ({ name }), keyOf);
    return names.filter((name) => cache.get(name)).length;
  };
  expect(await countKept(4)).toBeGreaterThan(200);
  const large = await countKept(4000);
  expect(large).toBeGreaterThan(5);
  expect(large * 4000).toBeLessThan(100_000);
});

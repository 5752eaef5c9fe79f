import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimiter } from './limiter.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = expect.objectContaining({ code: 'unavailable', details: { retryAfter: 1 } });

test('lets calls run up to the bound, and each connection for itself', () => {
  const limiter = createLimiter({ concurrency: 1, queue: 0 });
  expect(limiter.acquire('a')).toBeTypeOf('function');
  expect(() => limiter.acquire('a')).toThrow(busy);
  expect(limiter.acquire('b')).toBeTypeOf('function');
});

test('lets waiting calls in one by one, the oldest first', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 2 });
  const first = await limiter.acquire('a');
  const order: string[] = [];
  const second = Promise.resolve(limiter.acquire('a')).then((release) => {
    order.push('second');
    return release;
  });
  const third = Promise.resolve(limiter.acquire('a')).then(() => order.push('third'));
  expect(() => limiter.acquire('a')).toThrow(busy);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('a place is given back once, however often it is released', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 0 });
  const first = await limiter.acquire('a');
  first();
  first();
  expect(limiter.acquire('a')).toBeTypeOf('function');
  expect(() => limiter.acquire('a')).toThrow(busy);
});

test('a caller that goes away leaves the queue', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1 });
  const first = await limiter.acquire('a');
  const caller = new AbortController();
  const gone = Promise.resolve(limiter.acquire('a', caller.signal));
  caller.abort();
  await expect(gone).rejects.toEqual(busy);
  first();
  expect(limiter.acquire('a')).toBeTypeOf('function');
});

test('a call waits only so long', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1, waitMs: 500 });
  await limiter.acquire('a');
  const late = expect(Promise.resolve(limiter.acquire('a'))).rejects.toEqual(busy);
  await vi.advanceTimersByTimeAsync(500);
  await late;
});

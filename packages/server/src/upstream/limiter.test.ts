import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallOwner, createLimiter, type Limiter, type Release } from './limiter.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const of = (connectionId: string, applicationId = 'app', id = `acct of ${connectionId}`): CallOwner => ({
  applicationId,
  connectionId,
  id,
});
const callerDisconnected = expect.objectContaining({
  code: 'connection_failed',
  details: { reason: 'aborted' },
});
const busy = expect.objectContaining({ code: 'unavailable', details: { retryAfter: 1, reason: 'queue' } });

test('the limiter runs calls up to the limit of each connection', () => {
  const limiter = createLimiter({ concurrency: 1, queue: 0 });
  expect(limiter.acquire(of('a'))).toBeTypeOf('function');
  expect(() => limiter.acquire(of('a'))).toThrow(busy);
  expect(limiter.acquire(of('b'))).toBeTypeOf('function');
});

test('the limiter starts queued calls one by one, the oldest first', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 2 });
  const first = await limiter.acquire(of('a'));
  const order: string[] = [];
  const second = Promise.resolve(limiter.acquire(of('a'))).then((release) => {
    order.push('second');
    return release;
  });
  const third = Promise.resolve(limiter.acquire(of('a'))).then(() => order.push('third'));
  expect(() => limiter.acquire(of('a'))).toThrow(busy);
  first();
  (await second)();
  await third;
  expect(order).toEqual(['second', 'third']);
});

test('the limiter releases a slot once, however often it is released', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 0 });
  const first = await limiter.acquire(of('a'));
  first();
  first();
  expect(limiter.acquire(of('a'))).toBeTypeOf('function');
  expect(() => limiter.acquire(of('a'))).toThrow(busy);
});

test('the limiter removes a disconnected caller from the queue', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1 });
  const first = await limiter.acquire(of('a'));
  const caller = new AbortController();
  const aborted = Promise.resolve(limiter.acquire(of('a'), caller.signal));
  caller.abort();
  await expect(aborted).rejects.toEqual(callerDisconnected);
  first();
  expect(limiter.acquire(of('a'))).toBeTypeOf('function');
});

test('the limiter queues a call only for its timeout', async () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1, waitMs: 500 });
  await limiter.acquire(of('a'));
  const late = expect(Promise.resolve(limiter.acquire(of('a')))).rejects.toEqual(busy);
  await vi.advanceTimersByTimeAsync(500);
  await late;
});

test('the limiter does not queue a caller that is already disconnected', () => {
  const limiter = createLimiter({ concurrency: 1, queue: 1 });
  limiter.acquire(of('a'));
  expect(() => limiter.acquire(of('a'), AbortSignal.abort())).toThrow(callerDisconnected);
});

/**
 * Starts calls of an application, each on its own connection, until one call has to wait. Returns the number of running
 * calls, and the function that releases the last one.
 */
function fill(limiter: Limiter, application: string): { readonly count: number; readonly last: Release } {
  const releases: Release[] = [];
  for (let index = 0; ; index += 1) {
    const slot = limiter.acquire(of(`${application} ${index}`, application));
    if (typeof slot === 'function') releases.push(slot);
    else return { count: releases.length, last: releases.at(-1) ?? (() => undefined) };
  }
}

test('F5: an application gets half of the free slots, independently of its connections', () => {
  const limiter = createLimiter({ slots: 60 });
  const filled = ['one', 'two', 'three', 'four'].map((application) => fill(limiter, application).count);
  expect(filled).toEqual([30, 15, 8, 4]);
});

test('F5: the queue is shared so that one application cannot fill it', () => {
  const limiter = createLimiter({ slots: 1, waiting: 8, queue: 100 });
  const queue = (application: string) => {
    for (let waiting = 0; ; waiting += 1) {
      try {
        void limiter.acquire(of('c', application));
      } catch (error) {
        expect(error).toEqual(busy);
        return waiting;
      }
    }
  };
  // Expects 5 calls of application `one` and not 4, because its first call takes the only slot and does not wait in the
  // queue.
  expect(['one', 'two', 'three'].map(queue)).toEqual([5, 2, 1]);
});

test('F5: queued calls alternate by application, then connection, then account', async () => {
  const limiter = createLimiter({ slots: 1, waiting: 1000 });
  let release = await limiter.acquire(of('first', 'one'));
  const order: string[] = [];
  const acquire = async (connection: string, application: string, account: string) => {
    const slot = await limiter.acquire(of(connection, application, account));
    order.push(`${application} ${connection} ${account}`);
    release = slot;
  };
  const requested = [
    ...Array.from({ length: 4 }, () => acquire('a', 'one', 'x')),
    acquire('a', 'one', 'y'),
    acquire('b', 'one', 'z'),
    acquire('c', 'two', 'w'),
    acquire('c', 'two', 'w'),
  ];
  for (let round = 0; round < requested.length; round += 1) {
    release();
    await vi.waitFor(() => expect(order).toHaveLength(round + 1), 20_000);
  }
  expect(order).toEqual([
    'one a x',
    'two c w',
    'one b z',
    'two c w',
    'one a y',
    'one a x',
    'one a x',
    'one a x',
  ]);
});

test('F5: a full connection does not block other connections of its application', async () => {
  const limiter = createLimiter({ slots: 6, concurrency: 1 });
  await limiter.acquire(of('full', 'one'));
  void limiter.acquire(of('full', 'one'));
  expect(limiter.acquire(of('free', 'one'))).toBeTypeOf('function');
});

test('F5: one account cannot take all slots of its connection, however long its calls run', async () => {
  const limiter = createLimiter({ concurrency: 10, queue: 20 });
  const mallory = of('c', 'app', 'mallory');
  const slots = Array.from({ length: 8 }, () => limiter.acquire(mallory));
  expect(slots.every((slot) => typeof slot === 'function')).toBe(true);
  const waiting = [limiter.acquire(mallory), limiter.acquire(mallory)];
  // Expects a slot for other accounts immediately, although the account `mallory` uses eight slots and waits for more.
  for (let time = 0; time < 3; time += 1) {
    const slots = [limiter.acquire(of('c', 'app', 'ada')), limiter.acquire(of('c', 'app', 'grace'))];
    expect(slots.every((slot) => typeof slot === 'function')).toBe(true);
    for (const slot of slots) (await slot)();
  }
  (await slots[0])?.();
  expect(await waiting[0]).toBeTypeOf('function');
});

test('the limiter lists a connection whose calls it refuses, until 5 s without a refusal', () => {
  let time = 100;
  const limiter = createLimiter({ concurrency: 1, queue: 0, now: () => time });
  const owner = of('a');
  const { applicationId, connectionId } = owner;
  void limiter.acquire(owner);
  expect(limiter.overloaded()).toEqual([]);
  expect(() => limiter.acquire(owner)).toThrow(busy);
  time = 2100;
  expect(() => limiter.acquire(owner)).toThrow(busy);
  time = 7100;
  expect(limiter.overloaded()).toEqual([{ applicationId, connectionId, since: 100, refusedAt: 2100 }]);
  time = 7101;
  expect(limiter.overloaded()).toEqual([]);
  expect(() => limiter.acquire(owner)).toThrow(busy);
  expect(limiter.overloaded()).toMatchObject([{ since: 7101 }]);
});

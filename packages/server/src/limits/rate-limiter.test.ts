import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.js';
import { createRateLimits } from './rate-limits.js';

function setUp(perSecond: number) {
  let time = 0;
  const limiter = createRateLimiter({ rate: { name: 'application', perSecond }, now: () => time });
  const advance = (ms: number) => {
    time += ms;
  };
  const allowed = (count: number, key = 'app_1') => {
    const taken = Array.from({ length: count }, () => limiter.take(key));
    return taken.filter(({ isAllowed }) => isAllowed).length;
  };
  return { limiter, advance, allowed };
}

test('A9: the rate limiter allows the burst at once and then the rate per second', () => {
  const { advance, allowed } = setUp(50);
  expect(allowed(1000)).toBe(100);
  let later = 0;
  for (let step = 0; step < 1000; step += 1) {
    advance(10);
    later += allowed(5);
  }
  expect(later).toBe(500);
});

test('F5: extra calls of one key delay its next call and no other key', () => {
  const { limiter, advance, allowed } = setUp(50);
  allowed(1);
  limiter.charge('app_1', 149);
  expect(limiter.take('app_1')).toEqual({ isAllowed: false, remaining: 0, seconds: 2 });
  expect(allowed(1000, 'app_2')).toBe(100);
  advance(2000);
  expect(allowed(1000)).toBe(50);
});

test('A9: a pause restores the burst and no more', () => {
  const { advance, allowed } = setUp(10);
  expect(allowed(100)).toBe(20);
  advance(60 * 60_000);
  expect(allowed(100)).toBe(20);
});

test('A9: the rate limiter reports the remaining calls and the time of the reset', () => {
  const { limiter, allowed } = setUp(10);
  expect(limiter.take('app_1')).toEqual({ isAllowed: true, remaining: 19, seconds: 1 });
  allowed(19);
  expect(limiter.take('app_1')).toEqual({ isAllowed: false, remaining: 0, seconds: 1 });
});

test('A9: each key has its own limit', () => {
  const { limiter, allowed } = setUp(10);
  allowed(100, 'app_1');
  expect([limiter.isUsedUp('app_1'), limiter.isUsedUp('app_2'), allowed(100, 'app_2')]).toEqual([
    true,
    false,
    20,
  ]);
});

test('A9: a query of the limiter consumes nothing and stores no unknown keys', () => {
  const { limiter, allowed } = setUp(10);
  allowed(20, 'app_1');
  for (let index = 0; index < 100_000; index += 1) limiter.isUsedUp(`invented_${index}`);
  expect(limiter.isUsedUp('app_1')).toBe(true);
});

test('A9: the least recently used keys are evicted when the memory is full', () => {
  const { limiter, allowed } = setUp(10);
  allowed(20, 'quiet');
  allowed(20, 'busy');
  for (let index = 0; index < 49_999; index += 1) limiter.take(`address_${index}`);
  expect([limiter.isUsedUp('busy'), limiter.isUsedUp('quiet')]).toEqual([true, false]);
});

test('A9: addresses of one IPv6 network share a limit', () => {
  const rates = { application: 1, user: 1, account: 1, address: 1 };
  const { address } = createRateLimits({ rates, now: () => 0 });
  address.take('2001:db8:0:1::1');
  address.take('2001:db8:0:1:ffff::2');
  expect(address.isUsedUp('2001:db8:0:1::3')).toBe(true);
  expect(address.isUsedUp('2001:db8:0:2::1')).toBe(false);
  address.take('192.0.2.1');
  address.take('::ffff:192.0.2.1');
  expect(address.isUsedUp('192.0.2.1')).toBe(true);
});

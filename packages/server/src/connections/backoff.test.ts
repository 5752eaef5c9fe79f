import { expect, test } from 'vitest';
import { createClock } from '../../test/support/service/service-parts.js';
import { createBackoff } from './backoff.js';

const waits = (jitter: number) => {
  const backoff = createBackoff({ now: createClock().now, jitter: () => jitter });
  return Array.from({ length: 11 }, () => backoff.fail('key', 0) / 1000);
};

test('R7: the backoff doubles after each failure up to 5 minutes', () => {
  expect(waits(1)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

test('R7: the jitter covers the whole range of the backoff', () => {
  expect(waits(0.25)).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 75, 75]);
  expect(Math.max(...waits(0))).toBe(0);
});

test('R7: the backoff is at least the Retry-After of the server', () => {
  const backoff = createBackoff({ now: createClock().now, jitter: () => 1 });
  expect(backoff.fail('key', 90_000)).toBe(90_000);
});

test('the backoff affects one connection, counts down, and restarts after a success', () => {
  const { now, advance } = createClock();
  const backoff = createBackoff({ now, jitter: () => 1 });
  backoff.fail('key', 0);
  expect(backoff.waitOf('other')).toBe(0);
  advance(400);
  expect(backoff.waitOf('key')).toBe(600);
  backoff.succeed('key');
  expect(backoff.waitOf('key')).toBe(0);
  expect(backoff.fail('key', 0)).toBe(1000);
});

test('R7: the backoff is not longer when the clock is set back', () => {
  const { now, advance } = createClock();
  const backoff = createBackoff({ now, jitter: () => 1 });
  backoff.fail('key', 0);
  advance(-3_600_000);
  expect(backoff.waitOf('key')).toBe(1000);
  advance(1000);
  expect(backoff.waitOf('key')).toBe(0);
});

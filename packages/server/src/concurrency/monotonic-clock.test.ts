import { expect, test } from 'vitest';
import { createMonotonicClock } from './monotonic-clock.js';

test('the monotonic clock pauses when the system clock is set back, and follows it forward', () => {
  let time = 1000;
  const now = createMonotonicClock(() => time);
  const seen = [1000, 1500, -3_600_000, -3_599_000, -3_600_000, 0].map((at) => {
    time = at;
    return now();
  });
  expect(seen).toEqual([1000, 1500, 1500, 2500, 2500, 3_602_500]);
});

import { expect, test } from 'vitest';
import { SCHEDULE_MS, waitBeforeRetry } from './retry-schedule.js';

const HOUR_MS = 3_600_000;

test('a delivery has ten attempts in about 75 hours, and none after them', () => {
  const waits = SCHEDULE_MS.map((_, attempts) => waitBeforeRetry({ attempts, jitter: 0.5 }));
  expect(waits.reduce((sum = 0, wait = 0) => sum + wait, 0)).toBeCloseTo(75.6 * HOUR_MS, -6);
  expect(waitBeforeRetry({ attempts: SCHEDULE_MS.length, jitter: 0.5 })).toBeUndefined();
});

test.each([
  { title: 'shortest', jitter: 0, expected: 4000 },
  { title: 'usual', jitter: 0.5, expected: 5000 },
  { title: 'longest', jitter: 1, expected: 6000 },
])('the $title wait after the first attempt is $expected ms', ({ jitter, expected }) => {
  expect(waitBeforeRetry({ attempts: 1, jitter })).toBe(expected);
});

test.each([
  { title: 'shorter than the schedule', attempts: 2, retryAfterMs: 1000, expected: 5 * 60_000 },
  { title: 'longer than the schedule', attempts: 2, retryAfterMs: 7 * 60_000, expected: 7 * 60_000 },
  { title: 'much longer than the schedule', attempts: 1, retryAfterMs: HOUR_MS, expected: HOUR_MS },
  { title: 'longer than a day', attempts: 8, retryAfterMs: 900 * HOUR_MS, expected: 24 * HOUR_MS },
])(
  'a requested wait that is $title has its wait or at most a day',
  ({ attempts, retryAfterMs, expected }) => {
    expect(waitBeforeRetry({ attempts, retryAfterMs, jitter: 0.5 })).toBe(expected);
  },
);

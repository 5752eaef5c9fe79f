import { expect, test } from 'vitest';
import { fromLocalTime, toLocalTime } from './local-time.ts';

test('a time converted to local time and back stays the same', () => {
  const moment = '2026-11-22T09:30:00.000Z';
  expect(toLocalTime(moment)).toMatch(/^2026-11-2\dT\d\d:\d\d$/);
  expect(fromLocalTime(toLocalTime(moment))).toBe(moment);
});

test('an empty or invalid time becomes empty', () => {
  expect(['', 'yesterday'].map(toLocalTime)).toEqual(['', '']);
  expect(['', 'tomorrow'].map(fromLocalTime)).toEqual(['', '']);
});

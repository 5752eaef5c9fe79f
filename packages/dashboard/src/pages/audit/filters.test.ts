import { expect, test } from 'vitest';
import { fromLocalTime, toLocalTime } from './filters.tsx';

test('a moment comes back from the field as it went into it', () => {
  const moment = '2026-11-22T09:30:00.000Z';
  expect(toLocalTime(moment)).toMatch(/^2026-11-2\dT\d\d:\d\d$/);
  expect(fromLocalTime(toLocalTime(moment))).toBe(moment);
});

test('no moment is an empty field, and one that is none too', () => {
  expect(['', 'yesterday'].map(toLocalTime)).toEqual(['', '']);
  expect(['', 'tomorrow'].map(fromLocalTime)).toEqual(['', '']);
});

import { expect, test } from 'vitest';
import { readMoment } from './read-moment.js';

test.each([
  { given: '2026-11-20', moment: Date.UTC(2026, 10, 20) },
  { given: '2028-02-29T09:00:00Z', moment: Date.UTC(2028, 1, 29, 9) },
  { given: '2026-11-20T09:00:00+01:00', moment: Date.UTC(2026, 10, 20, 8) },
])('reads $given', ({ given, moment }) => {
  expect(readMoment(given)).toBe(moment);
});

test.each([
  '2027-02-29',
  '2027-02-30T00:00:00Z',
  '2026-13-01',
  '2026-11-20T25:00:00Z',
  '20261120',
  'now',
  '',
])('refuses %j', (given) => {
  expect(() => readMoment(given)).toThrow(`"${given}" is not a date or time.`);
});

import { expect, test } from 'vitest';
import { rowsWords, type Step, summaryOf } from './statistics-panel.tsx';

const quiet: Step = { at: '2026-11-22T12:00:00Z', calls: 0, errors: 0, p50Ms: null, p95Ms: null };

test('summarizes calls, failures and the highest latency', () => {
  const busy = { ...quiet, calls: 3000, errors: 750, p50Ms: 20, p95Ms: 90 };
  expect(summaryOf([quiet, busy, { ...busy, calls: 1, errors: 0, p95Ms: 30 }])).toBe(
    '3,001 calls, 750 failed (25%); highest 95th percentile of durations: 90 ms.',
  );
});

test('summarizes a time range without calls', () => {
  expect(summaryOf([quiet])).toBe('No calls in this time range.');
});

test('describes rows apart from calls, because a row can count several calls', () => {
  expect(rowsWords({ count: 1304, more: false })).toBe('1,304 rows. Equal refused calls share a row.');
  expect(rowsWords({ count: 1, more: false })).toBe('1 row. Equal refused calls share a row.');
});

import { expect, test } from 'vitest';
import { BARS, barsOf, sumsOf } from './day.tsx';

const FROM = Date.parse('2026-01-01T00:00:00Z');
const SPAN = { from: FROM, to: FROM + BARS * 1000 };
const point = (second: number, calls: number, errors: number) => ({
  at: new Date(FROM + second * 1000).toISOString(),
  calls,
  errors,
  p50Ms: 1,
  p95Ms: 2,
});

test('calls of one period form one bar, and empty bars are omitted', () => {
  const points = [point(0, 3, 1), point(0.5, 1, 0), point(1, 0, 0), point(24, 2, 2)];
  expect(barsOf(points, SPAN)).toEqual([
    { x: 0, height: 1, errors: 0.25 },
    { x: 0.5, height: 0.5, errors: 0.5 },
  ]);
});

test('calls before the start or at the end belong to the first or last bar', () => {
  expect(barsOf([point(-5, 1, 0), point(BARS, 1, 0)], SPAN).map(({ x }) => x)).toEqual([
    0,
    (BARS - 1) / BARS,
  ]);
});

test('sums calls and errors, also of an empty list', () => {
  expect(sumsOf([point(0, 4, 1), point(9, 2, 2)])).toEqual({ calls: 6, errors: 3 });
  expect(sumsOf([])).toEqual({ calls: 0, errors: 0 });
});

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

test('puts what was called within a bar together, and draws nothing where nothing was called', () => {
  const points = [point(0, 3, 1), point(0.5, 1, 0), point(1, 0, 0), point(24, 2, 2)];
  expect(barsOf(points, SPAN)).toEqual([
    { x: 0, height: 1, errors: 0.25 },
    { x: 0.5, height: 0.5, errors: 0.5 },
  ]);
});

test('keeps what began before the span, or at its end, inside of it', () => {
  expect(barsOf([point(-5, 1, 0), point(BARS, 1, 0)], SPAN).map(({ x }) => x)).toEqual([
    0,
    (BARS - 1) / BARS,
  ]);
});

test('sums calls and errors, of nothing too', () => {
  expect(sumsOf([point(0, 4, 1), point(9, 2, 2)])).toEqual({ calls: 6, errors: 3 });
  expect(sumsOf([])).toEqual({ calls: 0, errors: 0 });
});

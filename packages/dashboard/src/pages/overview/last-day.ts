import type { ApplicationOverview } from '../../api/overview.ts';

/** A bar of a chart whose width and height are 1. */
export interface Bar {
  readonly x: number;
  readonly height: number;
  /** The part of the calls that failed stands at its foot. */
  readonly errors: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Counts {
  readonly calls: number;
  readonly errors: number;
}

/** How many bars a span of time has, those without a call included. */
export const BARS = 48;

/** All calls and errors together. */
export const sumsOf = (points: readonly Counts[]): Counts =>
  points.reduce((sums, { calls, errors }) => ({ calls: sums.calls + calls, errors: sums.errors + errors }), {
    calls: 0,
    errors: 0,
  });

/** The calls of a span of time as bars; the tallest fills the height, and where nothing was called there is none. */
export function barsOf(points: ApplicationOverview['day']['points'], { from, to }: Span): readonly Bar[] {
  const slotOf = ({ at }: { readonly at: string }) =>
    Math.min(BARS - 1, Math.max(0, Math.floor(((Date.parse(at) - from) / (to - from)) * BARS)));
  const sums = [...Map.groupBy(points, slotOf)].map(([slot, each]) => ({ slot, ...sumsOf(each) }));
  const most = Math.max(1, ...sums.map(({ calls }) => calls));
  return sums
    .filter(({ calls }) => calls > 0)
    .map(({ slot, calls, errors }) => ({ x: slot / BARS, height: calls / most, errors: errors / most }));
}

import type { ApplicationOverview } from '../../api/overview.ts';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';

const WIDTH = 600;
const HEIGHT = 80;

const GAP = 2;

const Chart = ({ bars }: { readonly bars: readonly Bar[] }) => (
  <div>
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(({ x, height, errors }) => (
        <g key={x} transform={`translate(${x * WIDTH} 0)`}>
          <rect width={WIDTH / BARS - GAP} y={(1 - height) * HEIGHT} height={height * HEIGHT} />
          <rect
            class="errors"
            width={WIDTH / BARS - GAP}
            y={(1 - errors) * HEIGHT}
            height={errors * HEIGHT}
          />
        </g>
      ))}
    </svg>
    <p class="axis soft" aria-hidden="true">
      <span>24 hours ago</span>
      <span>now</span>
    </p>
  </div>
);

interface DayProps {
  readonly applicationId: string;
  readonly day: ApplicationOverview['day'];
}

export function Day({ applicationId, day: { from, to, points } }: DayProps) {
  const executions = hrefOf(PATHS.executions, { applicationId });
  const { calls, errors } = sumsOf(points);
  const span = { from: Date.parse(from), to: Date.parse(to) };
  return (
    <section class="panel" aria-labelledby="day">
      <h2 id="day">Last 24 hours</h2>
      <p class="row">
        <a href={executions}>
          <strong>{grouped(calls)}</strong> {calls === 1 ? 'call' : 'calls'}
        </a>
        <a href={withQuery(executions, { outcome: 'failed' })}>
          <strong>{grouped(errors)}</strong> {errors === 1 ? 'error' : 'errors'}
        </a>
      </p>
      {calls > 0 && <Chart bars={barsOf(points, span)} />}
    </section>
  );
}

/** Bar of the chart. All values are fractions of the chart's width or height, from 0 to 1. */
interface Bar {
  readonly x: number;
  readonly height: number;
  /** Height of the lower part of the bar, which shows failed calls. */
  readonly errors: number;
}

interface Counts {
  readonly calls: number;
  readonly errors: number;
}

export const BARS = 48;

export const sumsOf = (points: readonly Counts[]): Counts =>
  points.reduce((sums, { calls, errors }) => ({ calls: sums.calls + calls, errors: sums.errors + errors }), {
    calls: 0,
    errors: 0,
  });

/** Groups calls into bars by their start time. The tallest bar has the height 1. Bars without calls are omitted. */
export function barsOf(
  points: ApplicationOverview['day']['points'],
  { from, to }: Record<'from' | 'to', number>,
): readonly Bar[] {
  const slotOf = ({ at }: { readonly at: string }) =>
    Math.min(BARS - 1, Math.max(0, Math.floor(((Date.parse(at) - from) / (to - from)) * BARS)));
  const sums = [...Map.groupBy(points, slotOf)].map(([slot, each]) => ({ slot, ...sumsOf(each) }));
  const most = Math.max(1, ...sums.map(({ calls }) => calls));
  return sums
    .filter(({ calls }) => calls > 0)
    .map(({ slot, calls, errors }) => ({ x: slot / BARS, height: calls / most, errors: errors / most }));
}

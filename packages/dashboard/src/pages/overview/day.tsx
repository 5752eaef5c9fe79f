import type { ApplicationOverview } from '../../api/overview.ts';
import { hrefOf, PATHS, withQuery } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { BARS, type Bar, barsOf, sumsOf } from './last-day.ts';

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
      <span>a day ago</span>
      <span>now</span>
    </p>
  </div>
);

interface DayProps {
  readonly applicationId: string;
  readonly day: ApplicationOverview['day'];
}

/** What was called in the last 24 hours. */
export function Day({ applicationId, day: { from, to, points } }: DayProps) {
  const executions = hrefOf(PATHS.executions, { applicationId });
  const { calls, errors } = sumsOf(points);
  const span = { from: Date.parse(from), to: Date.parse(to) };
  return (
    <section class="panel" aria-labelledby="day">
      <h2 id="day">The last 24 hours</h2>
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

import { call } from '../../api/call.ts';
import type { Loaded } from '../../api/use-loaded.ts';
import { withQuery } from '../../parts/address.ts';
import { Show } from '../../parts/show.tsx';
import { hrefOf, PATHS } from '../../paths.ts';
import { grouped } from '../../words/numbers.ts';
import { BARS, type Bar, barsOf, DAY_MS, sumsOf } from './last-day.ts';

const WIDTH = 600;
const HEIGHT = 80;

/** What the last day was like. */
export async function loadDay(applicationId: string, signal: AbortSignal) {
  const to = Date.now();
  const span = { from: to - DAY_MS, to };
  const query = { from: new Date(span.from).toISOString(), to: new Date(to).toISOString() };
  const { points } = await call(
    'GET /operator/v1/applications/{applicationId}/execution-statistics',
    { path: { applicationId }, query },
    { signal },
  );
  return { points, span };
}

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
  readonly day: Loaded<Awaited<ReturnType<typeof loadDay>>>;
}

/** What was called in the last 24 hours. */
export function Day({ applicationId, day }: DayProps) {
  const executions = hrefOf(PATHS.executions, { applicationId });
  return (
    <section class="panel" aria-labelledby="day">
      <h2 id="day">The last 24 hours</h2>
      <Show of={day}>
        {({ points, span }) => {
          const { calls, errors } = sumsOf(points);
          return (
            <>
              <p class="row">
                <a href={executions}>
                  <strong>{grouped(calls)}</strong> {calls === 1 ? 'call' : 'calls'}
                </a>
                <a href={withQuery(executions, { outcome: 'failed' })}>
                  <strong>{grouped(errors)}</strong> {errors === 1 ? 'error' : 'errors'}
                </a>
              </p>
              {calls > 0 && <Chart bars={barsOf(points, span)} />}
            </>
          );
        }}
      </Show>
    </section>
  );
}

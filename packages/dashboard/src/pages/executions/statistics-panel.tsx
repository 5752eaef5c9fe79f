import { useMemo } from 'preact/hooks';
import { call, type ResponseOf } from '../../api/call.ts';
import { Chart } from '../../parts/chart.tsx';
import { type Loaded, Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import type { RowCount } from '../../parts/paged-table.tsx';
import { Strip } from '../../parts/strip.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, percentage } from '../../words/numbers.ts';
import { minuteOf } from '../../words/times.ts';
import { type Filters, statisticsQuery } from './filters.ts';

const STATISTICS = 'GET /operator/v1/applications/{applicationId}/execution-statistics';

export interface RangeProps {
  readonly applicationId: string;
  readonly filters: Filters;
  readonly refreshMs: number | undefined;
}

type Statistics = ResponseOf<typeof STATISTICS>;

/** Loads the statistics of the filtered calls, and keeps them up to date. */
export function useStatistics({ applicationId, filters, refreshMs }: RangeProps): Loaded<Statistics> {
  const { order: _, ...counted } = filters;
  const loaded = useLoaded(JSON.stringify([applicationId, counted]), (signal) =>
    call(STATISTICS, { path: { applicationId }, query: statisticsQuery(filters, new Date()) }, { signal }),
  );
  useRefresh(loaded, refreshMs);
  return loaded;
}

interface StatisticsProps {
  readonly loaded: Loaded<Statistics>;
}

interface StripProps extends StatisticsProps {
  readonly onRange: (from: Date, to: Date) => void;
}

/** Shows a small chart of the number of calls over time, with the counts as text. */
export const StatisticsStrip = ({ loaded, onRange }: StripProps) => (
  <section aria-label="Calls over time">
    <Show of={loaded}>
      {({ points, stepSeconds, countedFrom }) => (
        <>
          <p>
            {summaryOf(points)}{' '}
            {countedFrom !== undefined && (
              <span class="soft">Only calls since {minuteOf(new Date(countedFrom))} are counted.</span>
            )}
          </p>
          <Strip summary={summaryOf(points)} steps={points} stepMs={stepSeconds * 1000} onRange={onRange} />
        </>
      )}
    </Show>
  </section>
);

export const StatisticsPanel = ({ loaded }: StatisticsProps) => (
  <section class="panel" aria-labelledby="over-time">
    <h2 id="over-time">Statistics</h2>
    <Show of={loaded}>{({ points }) => <Charts steps={points} />}</Show>
  </section>
);

const milliseconds = (value: number) => (value < 1000 ? `${value} ms` : `${value / 1000} s`);
const count = (value: number) => (Number.isInteger(value) ? String(value) : '');

interface ChartsProps {
  readonly steps: readonly Step[];
}

function Charts({ steps }: ChartsProps) {
  const drawn = useMemo(
    () => ({
      at: steps.map(({ at }) => Date.parse(at) / 1000),
      calls: [
        { title: 'Calls', colour: '--accent', values: steps.map(({ calls }) => calls), isFilled: true },
        { title: 'Failed calls', colour: '--bad', values: steps.map(({ errors }) => errors) },
      ] as const,
      latency: [
        { title: 'Median duration', colour: '--accent', values: steps.map(({ p50Ms }) => p50Ms) },
        { title: '95th percentile of durations', colour: '--warn', values: steps.map(({ p95Ms }) => p95Ms) },
      ] as const,
    }),
    [steps],
  );
  const summary = summaryOf(steps);
  return (
    <>
      <div class="columns">
        <Chart
          title="Calls and failures"
          at={drawn.at}
          lines={drawn.calls}
          format={count}
          summary={summary}
        />
        <Chart
          title="Duration of calls"
          at={drawn.at}
          lines={drawn.latency}
          format={milliseconds}
          summary={summary}
        />
      </div>
      <details>
        <summary>Show as table</summary>
        <StepTable steps={steps} />
      </details>
    </>
  );
}

const latencyText = (ms: number | null) => (ms === null ? '' : milliseconds(ms));

const StepTable = ({ steps }: ChartsProps) => (
  <Table
    caption="Calls, failures and durations over time"
    keyOf={({ at }) => at}
    rows={steps.filter(({ calls }) => calls > 0)}
    columns={[
      { title: 'From', cell: ({ at }) => minuteOf(new Date(at)) },
      { title: 'Calls', cell: ({ calls }) => calls, isNumber: true },
      { title: 'Failed calls', cell: ({ errors }) => errors, isNumber: true },
      { title: 'Median duration', cell: ({ p50Ms }) => latencyText(p50Ms), isNumber: true },
      { title: '95th percentile of durations', cell: ({ p95Ms }) => latencyText(p95Ms), isNumber: true },
    ]}
  />
);

/** Statistics of one time step. Latencies are `null` if the step contains no calls. */
export type Step = ResponseOf<typeof STATISTICS>['points'][number];

/** Summarizes the statistics of the time range in one sentence. */
export function summaryOf(steps: readonly Step[]): string {
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0);
  const calls = sum((step) => step.calls);
  if (calls === 0) return 'No calls in this time range.';
  const errors = sum((step) => step.errors);
  const slowest = Math.max(...steps.map(({ p95Ms }) => p95Ms ?? 0));
  return `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}, ${grouped(errors)} failed (${percentage(errors / calls)}); highest 95th percentile of durations: ${slowest} ms.`;
}

/**
 * Describes the number of rows of the list. `summaryOf` counts calls, which can be more, because equal refused calls
 * share a row.
 */
export const rowsWords = ({ count, more }: RowCount): string =>
  `${grouped(count)}${more ? ' or more' : ''} ${count === 1 ? 'row' : 'rows'}. Equal refused calls share a row.`;

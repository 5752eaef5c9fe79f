import { useMemo } from 'preact/hooks';
import { type Answer, call } from '../../api/call.ts';
import { Chart } from '../../parts/chart.tsx';
import { Show, useLoaded, useRefresh } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, percentage } from '../../words/numbers.ts';
import { minuteOf } from '../../words/times.ts';
import { type Filters, timesOf } from './filters.ts';

/** The executions to show. */
export interface RangeProps {
  readonly applicationId: string;
  readonly filters: Filters;
  readonly refreshMs: number | undefined;
}

async function load({ applicationId, filters }: RangeProps, signal: AbortSignal) {
  const now = new Date();
  const { from, to = now } = timesOf(filters, now);
  const { connectionName } = filters;
  const query = { from: from.toISOString(), to: to.toISOString(), ...(connectionName && { connectionName }) };
  const statistics = await call(
    'GET /operator/v1/applications/{applicationId}/execution-statistics',
    { path: { applicationId }, query },
    { signal },
  );
  return statistics.points;
}

export function StatisticsPanel(props: RangeProps) {
  const { connectionName, range, since, until, toolName, accountId, outcome } = props.filters;
  const key = JSON.stringify([props.applicationId, connectionName, range, since, until]);
  const loaded = useLoaded(key, (signal) => load(props, signal));
  useRefresh(loaded, props.refreshMs);
  const isWider = [toolName, accountId, outcome].some((filter) => filter !== '');
  return (
    <section class="panel" aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <Show of={loaded}>{(steps) => <Charts steps={steps} isWider={isWider} />}</Show>
    </section>
  );
}

const milliseconds = (value: number) => (value < 1000 ? `${value} ms` : `${value / 1000} s`);
const count = (value: number) => (Number.isInteger(value) ? String(value) : '');

interface ChartsProps {
  readonly steps: readonly Step[];
  /** Tells whether the list has filters that the charts do not have. */
  readonly isWider: boolean;
}

function Charts({ steps, isWider }: ChartsProps) {
  const drawn = useMemo(
    () => ({
      at: steps.map(({ at }) => Date.parse(at) / 1000),
      calls: [
        { title: 'Calls', colour: '--accent', values: steps.map(({ calls }) => calls), isFilled: true },
        { title: 'Failed', colour: '--bad', values: steps.map(({ errors }) => errors) },
      ] as const,
      latency: [
        { title: 'Half of them within', colour: '--accent', values: steps.map(({ p50Ms }) => p50Ms) },
        { title: '95 of 100 within', colour: '--warn', values: steps.map(({ p95Ms }) => p95Ms) },
      ] as const,
    }),
    [steps],
  );
  const summary = summaryOf(steps);
  return (
    <>
      <p>
        {summary} {isWider && <span class="soft">These numbers are of the whole connection and time.</span>}
      </p>
      <div class="columns">
        <Chart
          title="Calls and failures"
          at={drawn.at}
          lines={drawn.calls}
          format={count}
          summary={summary}
        />
        <Chart title="Latency" at={drawn.at} lines={drawn.latency} format={milliseconds} summary={summary} />
      </div>
      <details>
        <summary>The numbers as a table</summary>
        <StepTable steps={steps} />
      </details>
    </>
  );
}

const shown = (ms: number | null) => (ms === null ? '' : milliseconds(ms));

const StepTable = ({ steps }: Pick<ChartsProps, 'steps'>) => (
  <Table
    caption="Calls, failures and latency over time"
    keyOf={({ at }) => at}
    rows={steps.filter(({ calls }) => calls > 0)}
    columns={[
      { title: 'From', cell: ({ at }) => minuteOf(new Date(at)) },
      { title: 'Calls', cell: ({ calls }) => calls, isNumber: true },
      { title: 'Failed', cell: ({ errors }) => errors, isNumber: true },
      { title: 'Half within', cell: ({ p50Ms }) => shown(p50Ms), isNumber: true },
      { title: '95 of 100 within', cell: ({ p95Ms }) => shown(p95Ms), isNumber: true },
    ]}
  />
);

type Statistics = Answer<'GET /operator/v1/applications/{applicationId}/execution-statistics'>;
/** A time step; no latency where nothing ran. */
export type Step = Statistics['points'][number];

/** The range in one sentence. */
export function summaryOf(steps: readonly Step[]): string {
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + of(step), 0);
  const calls = sum((step) => step.calls);
  if (calls === 0) return 'No calls in this time.';
  const errors = sum((step) => step.errors);
  const slowest = Math.max(...steps.map(({ p95Ms }) => p95Ms ?? 0));
  return `${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}, ${errors} failed (${percentage(errors / calls)}); at the slowest, 95 of 100 took at most ${slowest} ms.`;
}

import type { Health } from '../../api/health.ts';
import { Badge } from '../../parts/state.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { grouped } from '../../words/numbers.ts';
import { sizeOf } from './sizes.ts';

type Instance = Health['instances'][number];
type LimitName = keyof Instance['rateLimits'];

interface InstancesProps {
  readonly instances: readonly Instance[];
}

/** Returns the end of an instance's id, by which the page names the instance. */
export const shortId = ({ id }: Pick<Instance, 'id'>): string => id.slice(-8);

const INSTANCE_COLUMN: Column<Instance> = {
  title: 'Instance',
  cell: (instance) => <code>{shortId(instance)}</code>,
};

const INSTANCE_COLUMNS: readonly Column<Instance>[] = [
  INSTANCE_COLUMN,
  { title: 'Version', cell: ({ version }) => version },
  { title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Memory', isNumber: true, cell: ({ memoryBytes }) => sizeOf(memoryBytes) },
  {
    title: 'Call memory',
    isNumber: true,
    cell: ({ responseMemory: { limitBytes, usedBytes } }) => `${sizeOf(usedBytes)} of ${sizeOf(limitBytes)}`,
  },
  {
    title: 'Database queries',
    cell: ({ database: { isSlow, p95Ms } }) => (
      <Badge tone={isSlow ? 'bad' : 'good'}>{isSlow ? `Slow, ${grouped(p95Ms)} ms` : 'Fast'}</Badge>
    ),
  },
];

const CALL_COLUMNS: readonly Column<Instance>[] = [
  INSTANCE_COLUMN,
  { title: 'Running', isNumber: true, cell: ({ calls }) => grouped(calls.running) },
  { title: 'In the queue', isNumber: true, cell: ({ calls }) => grouped(calls.waiting) },
  { title: 'Refused (queue full)', isNumber: true, cell: ({ calls }) => grouped(calls.refused) },
  { title: 'Token refreshes', isNumber: true, cell: ({ refreshes }) => grouped(refreshes.succeeded) },
  { title: 'Failed refreshes', isNumber: true, cell: ({ refreshes }) => grouped(refreshes.failed) },
  { title: 'Executions to record', isNumber: true, cell: ({ executions }) => grouped(executions.waiting) },
  { title: 'Not recorded', isNumber: true, cell: ({ executions }) => grouped(executions.dropped) },
];

const LIMITS: Readonly<Record<LimitName, string>> = {
  application: 'Application',
  user: 'User of a token',
  account: 'Connected account',
  address: 'IP address, in each instance',
};

interface LimitRow {
  readonly name: LimitName;
  readonly perSecond: number;
  readonly calls: number;
  readonly refused: number;
}

/** Adds up the calls of all instances for each rate limit. */
export const limitRows = (instances: readonly Pick<Instance, 'rateLimits'>[]): readonly LimitRow[] =>
  (Object.keys(LIMITS) as LimitName[]).map((name) => {
    const uses = instances.map(({ rateLimits }) => rateLimits[name]);
    const sum = (field: 'calls' | 'refused') => uses.reduce((total, use) => total + use[field], 0);
    return { name, perSecond: uses[0]?.perSecond ?? 0, calls: sum('calls'), refused: sum('refused') };
  });

const LIMIT_COLUMNS: readonly Column<LimitRow>[] = [
  { title: 'Rate limit per', cell: ({ name }) => LIMITS[name] },
  { title: 'Allowed per second', isNumber: true, cell: ({ perSecond }) => grouped(perSecond) },
  { title: 'Calls', isNumber: true, cell: ({ calls }) => grouped(calls) },
  {
    title: 'Refused calls',
    isNumber: true,
    cell: ({ refused }) => (refused === 0 ? 0 : <Badge tone="warn">{grouped(refused)}</Badge>),
  },
];

/** Shows the running instances, their calls and their rate limits. */
export const Instances = ({ instances }: InstancesProps) => (
  <>
    <section class="stack">
      <h2>Instances</h2>
      <Table caption="Instances" columns={INSTANCE_COLUMNS} rows={instances} keyOf={({ id }) => id} />
    </section>
    <section class="stack">
      <h2>Calls and token refreshes</h2>
      <p class="soft">
        “Running”, “In the queue” and “Executions to record” are the numbers at this moment. “Not recorded”
        counts executions since the start of the instance. The other columns cover the last minute.
      </p>
      <Table
        caption="Calls and token refreshes"
        columns={CALL_COLUMNS}
        rows={instances}
        keyOf={({ id }) => id}
      />
    </section>
    <section class="stack">
      <h2>Rate limits</h2>
      <p class="soft">
        This table counts the calls of all instances within the last minute. If a limit refuses calls that
        your application needs, raise it with SVC_RATE_APPLICATION, SVC_RATE_USER, SVC_RATE_ACCOUNT or
        SVC_RATE_ADDRESS.
      </p>
      <Table
        caption="Rate limits"
        columns={LIMIT_COLUMNS}
        rows={limitRows(instances)}
        keyOf={({ name }) => name}
      />
    </section>
  </>
);

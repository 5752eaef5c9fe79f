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

const INSTANCE_COLUMNS: readonly Column<Instance>[] = [
  { title: 'Instance', cell: ({ id }) => <code>{id.slice(-8)}</code> },
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
  { title: 'Instance', cell: ({ id }) => <code>{id.slice(-8)}</code> },
  { title: 'Running calls', isNumber: true, cell: ({ calls }) => grouped(calls.running) },
  { title: 'Calls in the queue', isNumber: true, cell: ({ calls }) => grouped(calls.waiting) },
  { title: 'Calls refused (queue full)', isNumber: true, cell: ({ calls }) => grouped(calls.refused) },
  { title: 'Token refreshes', isNumber: true, cell: ({ refreshes }) => grouped(refreshes.succeeded) },
  { title: 'Failed token refreshes', isNumber: true, cell: ({ refreshes }) => grouped(refreshes.failed) },
];

const LIMITS: Readonly<Record<LimitName, string>> = {
  application: 'Application',
  user: 'User of a token',
  account: 'Connected account',
  address: 'IP address',
};

interface LimitRow {
  readonly name: LimitName;
  readonly perSecond: number;
  readonly calls: number;
  readonly refused: number;
}

/** Adds up the calls of all instances for each rate limit, because the instances share the rate limits. */
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
        “Running calls” and “Calls in the queue” count the calls at this moment. The other columns cover the
        last minute.
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
      <p class="soft">This table counts the calls of all instances within the last minute.</p>
      <Table
        caption="Rate limits"
        columns={LIMIT_COLUMNS}
        rows={limitRows(instances)}
        keyOf={({ name }) => name}
      />
    </section>
  </>
);

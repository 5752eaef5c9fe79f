import type { Health } from '../api/health.ts';
import type { Problems } from '../api/problems.ts';
import { grouped } from './numbers.ts';

interface HealthFacts {
  readonly database: { readonly migrations: Pick<Health['database']['migrations'], 'pending'> };
  readonly instances: readonly Pick<Health['instances'][number], 'executions'>[];
}

interface Facts {
  readonly slowDatabase?: Problems['slowDatabase'] | undefined;
  /** Health report of the service. `undefined` until it is loaded. */
  readonly health: HealthFacts | undefined;
}

interface Problem {
  readonly tone: 'bad' | 'warn';
  readonly problem: string;
  readonly remedy: string;
}

const MANY_WAITING = 5000;

const count = (number: number, one: string, many: string): string =>
  `${grouped(number)} ${number === 1 ? one : many}`;

const pendingMigrations = (pending: readonly string[]): Problem => ({
  tone: 'bad',
  problem: `The database needs ${count(pending.length, 'migration', 'migrations')}: ${pending.join(', ')}.`,
  remedy: 'Restart the service, which runs pending migrations when it starts.',
});

const droppedExecutions = (dropped: number): Problem => ({
  tone: 'bad',
  problem: `${count(dropped, 'execution was', 'executions were')} not recorded since the service started, because the database was slow or unavailable. The service still made the calls.`,
  remedy:
    'Check the load of the disk and the database. Keep executions for fewer days, or give the service a database that no other program uses.',
});

const waitingExecutions = (waiting: number): Problem => ({
  tone: 'warn',
  problem: `${count(waiting, 'execution is', 'executions are')} waiting to be recorded.`,
  remedy:
    'A wait of a few seconds is normal at peak load. If the number of waiting executions stays high, use a faster database.',
});

const slow = ({ p95Ms }: NonNullable<Problems['slowDatabase']>): Problem => ({
  tone: 'bad',
  problem: `The database is slow: in the last few seconds, 5% of the queries took ${grouped(p95Ms)} ms or longer.`,
  remedy:
    'Check the load of the database and its disk, and the network between the service and the database.',
});

function problemsOfReport({ database: { migrations }, instances }: HealthFacts): readonly Problem[] {
  const { pending } = migrations;
  const sum = (field: 'dropped' | 'waiting') =>
    instances.reduce((total, { executions }) => total + executions[field], 0);
  const [dropped, waiting] = [sum('dropped'), sum('waiting')];
  return [
    ...(pending.length > 0 ? [pendingMigrations(pending)] : []),
    ...(dropped > 0 ? [droppedExecutions(dropped)] : []),
    ...(waiting >= MANY_WAITING ? [waitingExecutions(waiting)] : []),
  ];
}

/** Returns the problems of the service, the most severe problem first. */
export const problemsOf = ({ health, slowDatabase }: Facts): readonly Problem[] => [
  ...(slowDatabase ? [slow(slowDatabase)] : []),
  ...(health ? problemsOfReport(health) : []),
];

import type { Health } from '../api/health.ts';
import { grouped } from './numbers.ts';

type Facts = Pick<Health, 'executions'> & {
  readonly database: { readonly migrations: Pick<Health['database']['migrations'], 'pending'> };
};

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
  remedy: 'Restart the service. The service runs pending migrations during the start.',
});

const droppedExecutions = (dropped: number): Problem => ({
  tone: 'bad',
  problem: `${count(dropped, 'execution was', 'executions were')} not recorded since the start, because the database was slow or unavailable. The calls were still made.`,
  remedy:
    'Check the load of the disk and the database. Keep executions for fewer days, or give the service a database that no other program uses.',
});

const waitingExecutions = (waiting: number): Problem => ({
  tone: 'warn',
  problem: `${count(waiting, 'execution is', 'executions are')} waiting to be recorded.`,
  remedy:
    'A wait of a few seconds is normal at peak load. If the number of waiting executions stays high, use a faster database.',
});

/** Returns the problems of the service, the most severe problem first. */
export const problemsOf = ({ database, executions: { dropped, waiting } }: Facts): readonly Problem[] => {
  const { pending } = database.migrations;
  return [
    ...(pending.length > 0 ? [pendingMigrations(pending)] : []),
    ...(dropped > 0 ? [droppedExecutions(dropped)] : []),
    ...(waiting >= MANY_WAITING ? [waitingExecutions(waiting)] : []),
  ];
};

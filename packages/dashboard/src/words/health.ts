import type { Health } from '../api/health.ts';
import { grouped } from './numbers.ts';

type Facts = Pick<Health, 'executions'> & {
  readonly database: { readonly migrations: Pick<Health['database']['migrations'], 'pending'> };
};

/** A problem of the service and its remedy, in sentences. */
export interface Problem {
  readonly tone: 'bad' | 'warn';
  readonly what: string;
  readonly toDo: string;
}

const MANY_WAITING = 5000;

const count = (number: number, one: string, many: string): string =>
  `${grouped(number)} ${number === 1 ? one : many}`;

const lacking = (pending: readonly string[]): Problem => ({
  tone: 'bad',
  what: `The database lacks ${count(pending.length, 'migration', 'migrations')} that this version needs: ${pending.join(', ')}.`,
  toDo: 'Restart the service: it brings the database up to date when it starts.',
});

const dropping = (dropped: number): Problem => ({
  tone: 'bad',
  what: `${count(dropped, 'execution was', 'executions were')} not recorded since the start, as the database was too slow or away. The calls themselves went through.`,
  toDo: 'Look whether the disk or the database is overloaded; keep executions for fewer days, or give the service a database of its own.',
});

const waitingLong = (waiting: number): Problem => ({
  tone: 'warn',
  what: `${count(waiting, 'execution waits', 'executions wait')} to be recorded.`,
  toDo: 'In a rush that is usual for seconds. If it stays so, the database is too slow.',
});

/** The worst first; none when all is well. */
export const problemsOf = ({ database, executions: { dropped, waiting } }: Facts): readonly Problem[] => {
  const { pending } = database.migrations;
  return [
    ...(pending.length > 0 ? [lacking(pending)] : []),
    ...(dropped > 0 ? [dropping(dropped)] : []),
    ...(waiting >= MANY_WAITING ? [waitingLong(waiting)] : []),
  ];
};

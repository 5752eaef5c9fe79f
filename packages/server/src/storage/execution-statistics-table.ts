import { sql } from 'kysely';
import { type DialectKind, dialectOf } from './dialect.js';
import { type Database, type ExecutionStatisticsRow, LATENCY_BOUNDS_MS } from './schema.js';

/** Counts of tool calls and proxied requests, such as those of one connection within five minutes. */
export interface CallCounts {
  readonly calls: number;
  readonly errors: number;
  /** Number of calls in each duration bucket, in the order of `LATENCY_BOUNDS_MS`. */
  readonly latencies: readonly number[];
}

export interface CountedCalls
  extends CallCounts,
    Pick<ExecutionStatisticsRow, 'applicationId' | 'at' | 'connectionName'> {}

/** Numbers of calls and of failed calls of one connection in one interval. */
export type RecentCalls = Pick<ExecutionStatisticsRow, 'connectionName' | 'at' | 'calls' | 'errors'>;

export interface StatisticsQuery {
  readonly from: number;
  /** End of the time range of the statistics in milliseconds since 1970. The range does not include it. */
  readonly to: number;
  /** Length in milliseconds of the intervals into which the time series divides the time range. */
  readonly stepMs: number;
  readonly connectionName?: string | undefined;
}

const LATENCIES = LATENCY_BOUNDS_MS.map((bound) => `ms${bound}`);
const KEY = ['application_id', 'at', 'connection_name'];
const COUNTS = ['calls', 'errors', ...LATENCIES];
const COLUMNS = [...KEY, ...COUNTS];
const INTO = `insert into execution_statistics (${COLUMNS.join(', ')})`;
const ADDED = COUNTS.map((name) => `${name} = execution_statistics.${name} + excluded.${name}`).join(', ');
const TYPES = ['text', 'bigint', 'text', ...COUNTS.map(() => 'integer')];

const SELECT: Readonly<Record<DialectKind, string>> = {
  sqlite: COLUMNS.map((_, at) => `value ->> ${at}`).join(', '),
  postgres: COLUMNS.map((_, at) => `(value ->> ${at})::${TYPES[at]}`).join(', '),
};
const EACH: Readonly<Record<DialectKind, readonly [string, string]>> = {
  sqlite: ['json_each(', ') where true'],
  postgres: ['json_array_elements(', '::json) as given (value)'],
};

const byKey = (one: CountedCalls, other: CountedCalls): number => (keyOf(one) < keyOf(other) ? -1 : 1);
const keyOf = ({ applicationId, at, connectionName }: CountedCalls): string =>
  JSON.stringify([applicationId, at, connectionName]);

const SUMS = sql.raw(COUNTS.map((name) => `sum(${name}) as ${name}`).join(', '));

/** Queries of call counts per application, connection and five minutes. The counts are stored as long as executions. */
export const executionStatisticsTable = (database: Database) => {
  const kind = dialectOf(database);
  const [before, after] = EACH[kind].map((text) => sql.raw(text));
  const insert = sql.raw(`${INTO} select ${SELECT[kind]} from `);

  return {
    /**
     * Adds calls to the stored counts. Sorts the rows by key, so that all instances lock rows in the same order and
     * never deadlock.
     */
    add: async (counted: readonly CountedCalls[]): Promise<void> => {
      const rows = [...counted]
        .sort(byKey)
        .map(({ applicationId, at, connectionName, calls, errors, latencies }) => [
          applicationId,
          at,
          connectionName,
          calls,
          errors,
          ...latencies,
        ]);
      await sql`${insert}${before}${JSON.stringify(rows)}${after}
        on conflict (application_id, at, connection_name) do update set ${sql.raw(ADDED)}`.execute(database);
    },

    /**
     * Lists the numbers of calls and of failed calls by connection and interval, beginning with the interval that
     * starts at `from` (milliseconds since 1970).
     */
    listRecent: async (applicationId: string, from: number): Promise<readonly RecentCalls[]> => {
      const { rows } =
        await sql<RecentCalls>`select connection_name, at, calls, errors from execution_statistics
        where application_id = ${applicationId} and at >= ${from}`.execute(database);
      return rows.map((row) => ({ ...row, at: Number(row.at) }));
    },

    /**
     * Lists at most `most` applications with failed calls in intervals that start at `from` (milliseconds since 1970)
     * or later.
     */
    applicationsOfErrors: async (from: number, most: number): Promise<readonly string[]> => {
      const { rows } = await sql<{
        applicationId: string;
      }>`select distinct application_id from execution_statistics
        where at >= ${from} and errors > 0 limit ${most}`.execute(database);
      return rows.map(({ applicationId }) => applicationId);
    },

    /**
     * Returns the sums of the call counts for each interval of `stepMs` milliseconds. Omits intervals without calls.
     */
    sum: async (
      applicationId: string,
      { from, to, stepMs, connectionName }: StatisticsQuery,
    ): Promise<readonly (CallCounts & { readonly at: number })[]> => {
      // Number of the interval to which a row belongs. The cast rounds the quotient down, because SQLite gets both
      // parameters as floating-point numbers.
      const step = sql`cast((at - ${from}) / ${stepMs} as bigint)`;
      const whereConnection =
        connectionName === undefined ? sql`` : sql`and connection_name = ${connectionName}`;
      const { rows } = await sql<
        Record<string, number>
      >`select ${step} as step, ${SUMS} from execution_statistics
        where application_id = ${applicationId} and at >= ${from} and at < ${to} ${whereConnection}
        group by 1`.execute(database);
      const number = (row: Readonly<Record<string, number>>, name: string) => Number(row[name] ?? 0);
      return rows.map((row) => ({
        at: from + number(row, 'step') * stepMs,
        calls: number(row, 'calls'),
        errors: number(row, 'errors'),
        latencies: LATENCIES.map((name) => number(row, name)),
      }));
    },
  };
};

import { SqliteAdapter, sql } from 'kysely';
import type { Database } from './database.js';
import type { ExecutionRow } from './schema.js';

export interface ExecutionQuery {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
  /** Those older than this one. */
  readonly before?: Pick<ExecutionRow, 'startedAt' | 'id'> | undefined;
  readonly limit: number;
}

const TYPES = {
  id: 'text',
  applicationId: 'text',
  accountId: 'text',
  connectionName: 'text',
  kind: 'text',
  toolName: 'text',
  method: 'text',
  status: 'integer',
  errorCode: 'text',
  upstreamStatus: 'integer',
  durationMs: 'integer',
  startedAt: 'bigint',
  requestId: 'text',
} as const satisfies Readonly<Record<keyof ExecutionRow, string>>;

const list = (write: (name: string, type: string) => string): string =>
  Object.entries(TYPES)
    .map(([name, type]) => write(name, type))
    .join(', ');

const INTO = `insert into executions (${list((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))})`;

/** What stands before and after the rows, which are one text of JSON: however many there are, the statement is the same. */
const INSERT = {
  sqlite: [`${INTO} select ${list((name) => `value ->> '${name}'`)} from json_each(`, ') where true'],
  postgres: [
    `${INTO} select ${list((name) => `"${name}"`)} from json_to_recordset(`,
    `::json) as given(${list((name, type) => `"${name}" ${type}`)})`,
  ],
} as const;

export const executionsTable = (database: Database) => ({
  /** All of them or none. Those that are there already stay as they are, so that a batch of unknown outcome can be sent again. */
  insert: async (executions: readonly ExecutionRow[]): Promise<void> => {
    const isSqlite = database.getExecutor().adapter instanceof SqliteAdapter;
    const [before, after] = INSERT[isSqlite ? 'sqlite' : 'postgres'].map((text) => sql.raw(text));
    await sql`${before}${JSON.stringify(executions)}${after} on conflict (id) do nothing`.execute(database);
  },

  /** Newest first. */
  list: (applicationId: string, query: ExecutionQuery): Promise<ExecutionRow[]> => {
    const { connectionName, toolName, status, before, limit } = query;
    let select = database.selectFrom('executions').selectAll().where('applicationId', '=', applicationId);
    if (connectionName !== undefined) select = select.where('connectionName', '=', connectionName);
    if (toolName !== undefined) select = select.where('toolName', '=', toolName);
    if (status !== undefined) select = select.where('status', '=', status);
    if (before) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('startedAt', 'id'), '<', tuple(before.startedAt, before.id)),
      );
    }
    return select.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  },
});

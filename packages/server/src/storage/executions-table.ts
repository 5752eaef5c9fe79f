import { sql } from 'kysely';
import type { Database } from './database.js';
import { kindOf } from './kind-of.js';
import type { ExecutionRow } from './schema.js';

/** Where an execution stands among those of its application. */
export type ExecutionPlace = Pick<ExecutionRow, 'startedAt' | 'id'>;

export interface ExecutionQuery {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
  /** Those older than this one. */
  readonly before?: ExecutionPlace | undefined;
  readonly limit: number;
}

export interface FoundExecutions {
  /** Newest first. */
  readonly rows: ExecutionRow[];
  /** How far was looked, where there may be more; `undefined` when everything was. */
  readonly lookedTo?: ExecutionPlace | undefined;
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

const NAMES = Object.keys(TYPES) as (keyof ExecutionRow)[];
export const EXECUTION_COLUMNS = NAMES.map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
const INTO = `insert into executions (${EXECUTION_COLUMNS.join(', ')})`;
const GIVEN = NAMES.map((name) => `"${name}" ${TYPES[name]}`).join(', ');

interface Insert {
  /** What stands before and after the rows, which are one text: however many there are, the statement is the same. */
  readonly around: readonly [string, string];
  readonly text: (executions: readonly ExecutionRow[]) => string;
}

const INSERT: Readonly<Record<ReturnType<typeof kindOf>, Insert>> = {
  // Positions are found in half the time of names.
  sqlite: {
    around: [
      `${INTO} select ${NAMES.map((_, at) => `value ->> ${at}`).join(', ')} from json_each(`,
      ') where true',
    ],
    text: (executions) => JSON.stringify(executions.map((execution) => NAMES.map((name) => execution[name]))),
  },
  postgres: {
    around: [
      `${INTO} select ${NAMES.map((name) => `"${name}"`).join(', ')} from json_to_recordset(`,
      `::json) as given(${GIVEN})`,
    ],
    text: (executions) => JSON.stringify(executions),
  },
};

/** Whoever looks for what is rare looks through so many in one call. */
export const EXECUTIONS_LOOKED_THROUGH = 10_000;

const isFiltered = ({ connectionName, toolName, status }: ExecutionQuery): boolean =>
  connectionName !== undefined || toolName !== undefined || status !== undefined;

export const executionsTable = (database: Database) => {
  const { around, text } = INSERT[kindOf(database)];
  const [before, after] = [sql.raw(around[0]), sql.raw(around[1])];

  function ofApplication(applicationId: string, { before }: Pick<ExecutionQuery, 'before'>) {
    const own = database.selectFrom('executions').where('applicationId', '=', applicationId);
    return before === undefined
      ? own
      : own.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('startedAt', 'id'), '<', tuple(before.startedAt, before.id)),
        );
  }

  const findEnd = (applicationId: string, query: ExecutionQuery): Promise<ExecutionPlace | undefined> =>
    ofApplication(applicationId, query)
      .select(['applicationId', 'startedAt', 'id'])
      .orderBy('startedAt', 'desc')
      .orderBy('id', 'desc')
      .offset(EXECUTIONS_LOOKED_THROUGH - 1)
      .limit(1)
      .executeTakeFirst();

  return {
    /** All of them or none. Those that are there already stay as they are, so that a batch of unknown outcome can be sent again. */
    insert: async (executions: readonly ExecutionRow[]): Promise<void> => {
      await sql`${before}${text(executions)}${after} on conflict do nothing`.execute(database);
    },

    list: async (applicationId: string, query: ExecutionQuery): Promise<FoundExecutions> => {
      const { connectionName, toolName, status, limit } = query;
      const end = isFiltered(query) ? await findEnd(applicationId, query) : undefined;
      let select = ofApplication(applicationId, query).selectAll();
      if (connectionName !== undefined) select = select.where('connectionName', '=', connectionName);
      if (toolName !== undefined) select = select.where('toolName', '=', toolName);
      if (status !== undefined) select = select.where('status', '=', status);
      if (end) {
        select = select.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('startedAt', 'id'), '>=', tuple(end.startedAt, end.id)),
        );
      }
      const rows = await select.orderBy('startedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return { rows, lookedTo: rows.length < limit ? end : undefined };
    },
  };
};

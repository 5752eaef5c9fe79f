import { CompiledQuery, type SelectQueryBuilder } from 'kysely';
import type { Database } from './database.js';
import { kindOf } from './kind-of.js';
import type { ExecutionRow, Schema } from './schema.js';

/** Where an execution stands among those of its application. */
export type ExecutionPlace = Pick<ExecutionRow, 'startedAt' | 'id'>;

export interface ExecutionQuery {
  readonly connectionName?: string | undefined;
  readonly toolName?: string | undefined;
  readonly status?: number | undefined;
  readonly accountId?: string | undefined;
  /** Those whose callers did not get what they asked for. */
  readonly failed?: boolean | undefined;
  /** Those that began at this moment or later. */
  readonly since?: number | undefined;
  /** Those that began before this moment. */
  readonly until?: number | undefined;
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
  attempts: 'integer',
  refreshed: 'integer',
  upstreamMs: 'integer',
  waitedMs: 'integer',
} as const satisfies Readonly<Record<keyof ExecutionRow, string>>;

const NAMES = Object.keys(TYPES) as (keyof ExecutionRow)[];
export const EXECUTION_COLUMNS = NAMES.map((name) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
const INTO = `insert into executions (${EXECUTION_COLUMNS.join(', ')})`;
const GIVEN = NAMES.map((name) => `"${name}" ${TYPES[name]}`).join(', ');

/** However many rows there are, the statement is the same, and so is prepared once. */
const INSERT: Readonly<
  Record<ReturnType<typeof kindOf>, (executions: readonly ExecutionRow[]) => CompiledQuery>
> = {
  sqlite: (executions) =>
    CompiledQuery.raw(
      `${INTO} values (${NAMES.map(() => '?').join(', ')}) on conflict do nothing`,
      executions.map((execution) => NAMES.map((name) => execution[name])),
    ),
  postgres: (executions) =>
    CompiledQuery.raw(
      `${INTO} select ${NAMES.map((name) => `"${name}"`).join(', ')} from json_to_recordset($1::json) as given(${GIVEN}) on conflict do nothing`,
      [JSON.stringify(executions)],
    ),
};

/** Whoever looks for what is rare looks through so many in one call. */
export const EXECUTIONS_LOOKED_THROUGH = 10_000;

type Filter = Pick<ExecutionQuery, 'connectionName' | 'toolName' | 'status' | 'accountId' | 'failed'>;

const isFiltered = ({ connectionName, toolName, status, accountId, failed = false }: Filter): boolean =>
  failed || [connectionName, toolName, status, accountId].some((wanted) => wanted !== undefined);

type SelectExecutions<Output> = SelectQueryBuilder<Schema, 'executions', Output>;

function filter<Output>(select: SelectExecutions<Output>, wanted: Filter): SelectExecutions<Output> {
  const { connectionName, toolName, status, accountId, failed } = wanted;
  let found = select;
  if (connectionName !== undefined) found = found.where('connectionName', '=', connectionName);
  if (toolName !== undefined) found = found.where('toolName', '=', toolName);
  if (status !== undefined) found = found.where('status', '=', status);
  if (accountId !== undefined) found = found.where('accountId', '=', accountId);
  if (failed)
    found = found.where(({ eb, or }) => or([eb('status', '>=', 400), eb('errorCode', 'is not', null)]));
  return found;
}

export const executionsTable = (database: Database) => {
  const insert = INSERT[kindOf(database)];

  function ofApplication(applicationId: string, { before, since, until }: ExecutionQuery) {
    let own = database.selectFrom('executions').where('applicationId', '=', applicationId);
    if (since !== undefined) own = own.where('startedAt', '>=', since);
    if (until !== undefined) own = own.where('startedAt', '<', until);
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
    /** All of them or none. How many: those that are there already stay as they are. */
    insert: async (executions: readonly ExecutionRow[]): Promise<number> => {
      const { numAffectedRows = 0n } = await database.executeQuery(insert(executions));
      return Number(numAffectedRows);
    },

    find: (applicationId: string, { startedAt, id }: ExecutionPlace): Promise<ExecutionRow | undefined> =>
      database
        .selectFrom('executions')
        .selectAll()
        .where('applicationId', '=', applicationId)
        .where('startedAt', '=', startedAt)
        .where('id', '=', id)
        .executeTakeFirst(),

    list: async (applicationId: string, query: ExecutionQuery): Promise<FoundExecutions> => {
      const { limit } = query;
      const end = isFiltered(query) ? await findEnd(applicationId, query) : undefined;
      let select = filter(ofApplication(applicationId, query).selectAll(), query);
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

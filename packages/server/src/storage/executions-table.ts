import { CompiledQuery, type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { RowCount } from '../page.js';
import { countRows } from './count-rows.js';
import { type DialectKind, dialectOf } from './dialect.js';
import type { Database, ExecutionRow, Schema } from './schema.js';

/** Start time and id of an execution, used as a pagination cursor of an application's executions. */
export type ExecutionCursor = Pick<ExecutionRow, 'startedAt' | 'id'>;

/**
 * Columns without an index by which lists of executions can be filtered. Types and queries are derived from this array.
 */
const FILTERED_COLUMNS = ['connectionName', 'toolName', 'status', 'traceId'] as const;

type ColumnFilter = {
  readonly [Column in (typeof FILTERED_COLUMNS)[number]]?: NonNullable<ExecutionRow[Column]> | undefined;
};

/** Filters of executions that no index supports. A query with such a filter searches a limited number of executions. */
export interface UnindexedFilter extends ColumnFilter {
  /** If true, lists or counts only executions that ended in an error. */
  readonly failed?: boolean | undefined;
}

export interface ExecutionQuery extends ExecutionSelection {
  readonly limit: number;
}

/** Conditions by which executions are selected, without a maximum number of rows. */
export interface ExecutionSelection extends UnindexedFilter {
  /**
   * Id of the account whose executions are selected. An index finds these executions, so that the query reads no
   * others.
   */
  readonly accountId?: string | undefined;
  /**
   * Identifier of a user. Selects the calls that named this user and for which the service found no account. An index
   * finds these executions, so that the query reads no others.
   */
  readonly namedUser?: string | undefined;
  /** Only executions that started at this time (milliseconds since 1970) or later are selected. */
  readonly since?: number | undefined;
  /** Only executions that started before this time (milliseconds since 1970) are selected. */
  readonly until?: number | undefined;
  /** If true, lists the oldest executions first. */
  readonly oldestFirst?: boolean | undefined;
  /** Pagination cursor: only executions after this one are listed, in the requested order. */
  readonly after?: ExecutionCursor | undefined;
}

/** Columns of an execution that say when it ran and how it ended. */
export type ExecutionOutcome = Pick<
  ExecutionRow,
  'connectionName' | 'status' | 'errorCode' | 'upstreamStatus' | 'startedAt' | 'count'
>;

/**
 * Returns true if a call failed. A call that waits for an approval has not failed, because it still runs if a person
 * approves it.
 */
export const isFailed = ({ status, errorCode }: Pick<ExecutionRow, 'status' | 'errorCode'>): boolean =>
  (status >= 400 || errorCode !== null) && errorCode !== 'approval_required';

export interface ExecutionPage {
  /** Executions that match the query, in the requested order. */
  readonly rows: ExecutionRow[];
  /**
   * Pagination cursor: last execution that the query read, if it stopped early and more executions may match.
   * `undefined` if it read all executions.
   */
  readonly searchedTo?: ExecutionCursor | undefined;
}

const TYPES = {
  id: 'text',
  applicationId: 'text',
  accountId: 'text',
  connectionName: 'text',
  identifier: 'text',
  kind: 'text',
  toolName: 'text',
  method: 'text',
  path: 'text',
  status: 'integer',
  errorCode: 'text',
  upstreamStatus: 'integer',
  durationMs: 'integer',
  startedAt: 'bigint',
  requestId: 'text',
  traceId: 'text',
  serviceVersion: 'text',
  attempts: 'integer',
  refreshed: 'integer',
  upstreamMs: 'integer',
  waitedMs: 'integer',
  pausedMs: 'integer',
  count: 'integer',
  cause: 'text',
  requests: 'text',
} as const satisfies Readonly<Record<keyof ExecutionRow, string>>;

const NAMES = Object.keys(TYPES) as (keyof ExecutionRow)[];
const COLUMNS = NAMES.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const INTO = `insert into executions (${COLUMNS.join(', ')})`;
// Part of an INSERT statement that replaces the count of a stored row if the new count is higher. A row may count
// several equal refused calls.
const GROW = 'do update set count = excluded.count where executions.count < excluded.count';
const RECORD = NAMES.map((name) => `"${name}" ${TYPES[name]}`).join(', ');

/**
 * SQL statements that insert executions. Their text does not depend on the number of rows, so that each is prepared
 * only once.
 */
const INSERT: Readonly<Record<DialectKind, (executions: readonly ExecutionRow[]) => CompiledQuery>> = {
  sqlite: (executions) =>
    CompiledQuery.raw(
      `${INTO} values (${NAMES.map(() => '?').join(', ')}) on conflict (application_id, started_at, id) ${GROW}`,
      executions.map((execution) => NAMES.map((name) => execution[name])),
    ),
  postgres: (executions) =>
    CompiledQuery.raw(
      `${INTO} select ${NAMES.map((name) => `"${name}"`).join(', ')} from json_to_recordset($1::json) as given(${RECORD}) on conflict (id) ${GROW} and executions.application_id = excluded.application_id`,
      [JSON.stringify(executions)],
    ),
};

/**
 * Maximum number of executions that one query reads, so that a filter with few matches does not scan all executions.
 */
export const MAX_SEARCHED_EXECUTIONS = 10_000;

type Condition = (builder: ExpressionBuilder<Schema, 'executions'>) => Expression<SqlBool>;

const hasFailed: Condition = ({ and, eb, or }) =>
  or([
    and([eb('status', '>=', 400), eb('errorCode', 'is', null)]),
    and([eb('errorCode', 'is not', null), eb('errorCode', '!=', 'approval_required')]),
  ]);

/**
 * Returns the conditions of a filter. A query with conditions must limit its search, because few of many executions may
 * match.
 */
function conditionsOf(by: UnindexedFilter): readonly Condition[] {
  const conditions = FILTERED_COLUMNS.flatMap((column): readonly Condition[] => {
    const value = by[column];
    return value === undefined ? [] : [({ eb }) => eb(column, '=', value)];
  });
  return by.failed ? [...conditions, hasFailed] : conditions;
}

/**
 * Column `application_id` in a form that no index contains. Otherwise SQLite would prefer the primary key, which begins
 * with this column, to the index of an account or a request.
 */
const UNINDEXED_APPLICATION = sql<string>`(application_id || '')`;

export const executionsTable = (database: Database) => {
  const insert = INSERT[dialectOf(database)];

  /**
   * Selects executions by conditions that an index supports, so that the query stays fast if there are many executions.
   */
  function selectOwn(
    applicationId: string,
    { accountId, namedUser, after, since, until, oldestFirst = false }: ExecutionSelection,
  ) {
    const order = oldestFirst ? 'asc' : 'desc';
    let own = database
      .selectFrom('executions')
      .where(
        accountId === undefined && namedUser === undefined ? 'applicationId' : UNINDEXED_APPLICATION,
        '=',
        applicationId,
      )
      .orderBy('startedAt', order)
      .orderBy('id', order);
    if (accountId !== undefined) own = own.where('accountId', '=', accountId);
    if (namedUser !== undefined) own = own.where('identifier', '=', namedUser);
    if (since !== undefined) own = own.where('startedAt', '>=', since);
    if (until !== undefined) own = own.where('startedAt', '<', until);
    return after === undefined
      ? own
      : own.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('startedAt', 'id'), oldestFirst ? '>' : '<', tuple(after.startedAt, after.id)),
        );
  }

  const findEnd = (applicationId: string, query: ExecutionSelection): Promise<ExecutionCursor | undefined> =>
    selectOwn(applicationId, query)
      .select(['applicationId', 'startedAt', 'id'])
      .offset(MAX_SEARCHED_EXECUTIONS - 1)
      .limit(1)
      .executeTakeFirst();

  /**
   * Selects the executions that match a query. `end`: last execution that the query reads, if it does not read all of
   * them.
   */
  async function search(applicationId: string, query: ExecutionSelection) {
    const conditions = conditionsOf(query);
    const end = conditions.length > 0 ? await findEnd(applicationId, query) : undefined;
    let select = selectOwn(applicationId, query);
    for (const condition of conditions) select = select.where(condition);
    if (end) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('startedAt', 'id'), query.oldestFirst ? '<=' : '>=', tuple(end.startedAt, end.id)),
      );
    }
    return { select, end };
  }

  return {
    /**
     * Inserts all executions or none. A stored execution only changes if its `count` grows. Returns the number of rows
     * that are new or changed.
     */
    insert: async (executions: readonly ExecutionRow[]): Promise<number> => {
      const { numAffectedRows = 0n } = await database.executeQuery(insert(executions));
      return Number(numAffectedRows);
    },

    find: (applicationId: string, { startedAt, id }: ExecutionCursor): Promise<ExecutionRow | undefined> =>
      database
        .selectFrom('executions')
        .selectAll()
        .where('applicationId', '=', applicationId)
        .where('startedAt', '=', startedAt)
        .where('id', '=', id)
        .executeTakeFirst(),

    /** Lists the outcomes of executions that started at `since` (milliseconds since 1970) or later, newest first. */
    listOutcomes: (
      applicationId: string,
      { since, limit }: { readonly since: number; readonly limit: number },
    ): Promise<readonly ExecutionOutcome[]> =>
      database
        .selectFrom('executions')
        .select(['connectionName', 'status', 'errorCode', 'upstreamStatus', 'startedAt', 'count'])
        .where('applicationId', '=', applicationId)
        .where('startedAt', '>=', since)
        .orderBy('startedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /** Lists executions, newest first by default. */
    list: async (applicationId: string, query: ExecutionQuery): Promise<ExecutionPage> => {
      const { limit } = query;
      const { select, end } = await search(applicationId, query);
      const rows = await select.selectAll().limit(limit).execute();
      return { rows, searchedTo: rows.length < limit ? end : undefined };
    },

    /** Counts executions. If there is a filter that no index supports, searches only the newest executions. */
    countListed: async (applicationId: string, query: ExecutionSelection): Promise<RowCount> => {
      const { select, end } = await search(applicationId, query);
      return countRows(database, select.select('id'), end !== undefined);
    },

    /** Lists the executions that one request to the service started, in any order. */
    listOfRequest: (
      applicationId: string,
      { requestId, limit, ...by }: UnindexedFilter & { readonly requestId: string; readonly limit: number },
    ): Promise<ExecutionRow[]> => {
      let select = database
        .selectFrom('executions')
        .selectAll()
        .where('requestId', '=', requestId)
        .where(UNINDEXED_APPLICATION, '=', applicationId);
      for (const condition of conditionsOf(by)) select = select.where(condition);
      return select.limit(limit).execute();
    },
  };
};

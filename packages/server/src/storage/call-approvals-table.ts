import type { CallApprovalStatus } from '../names/approval-statuses.js';
import type { RowCount } from '../page.js';
import { inserts } from './affected-rows.js';
import type { CallApprovalRow } from './approval-rows.js';
import { countRows } from './count-rows.js';
import type { Database } from './schema.js';

/** Approval of a tool call, joined with the columns of its account and connection that people see. */
export interface CallApprovalOf extends CallApprovalRow {
  readonly identifier: string;
  /** Label of the account. Empty if the account has no label. */
  readonly account: string;
  readonly connectionName: string;
  readonly connector: string;
}

export type CallApprovalKey = Pick<CallApprovalRow, 'applicationId' | 'id'>;

export interface CallApprovalConditions {
  readonly status?: CallApprovalStatus | undefined;
  readonly accountId?: string | undefined;
}

export interface CallApprovalQuery extends CallApprovalConditions {
  /** If true, lists the oldest approvals first. */
  readonly oldestFirst?: boolean | undefined;
  /** Pagination cursor: only approvals after this one are listed, in the requested order. */
  readonly after?: Pick<CallApprovalRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

/** State that the stored approval must have. Otherwise a change of the approval has no effect. */
export interface CallApprovalState {
  readonly statuses: readonly CallApprovalStatus[];
  /** Id of the execution that the stored approval must contain. */
  readonly executionId?: string | undefined;
  /** Time in milliseconds since 1970 until which the current status of the stored approval must have expired. */
  readonly until?: number | undefined;
}

export type CallApprovalChange = Partial<
  Pick<
    CallApprovalRow,
    'status' | 'holdsUntil' | 'decidedBy' | 'decidedAt' | 'reason' | 'executionId' | 'result'
  >
>;

export type CallerOfPending = Pick<CallApprovalOf, 'applicationId' | 'caller' | 'identifier'>;

/** Approval statuses that the service replaces with another status when they expire. */
const EXPIRING: readonly CallApprovalStatus[] = ['pending', 'approved', 'running'];

const approvalsWithAccounts = (database: Database) =>
  database
    .selectFrom('callApprovals')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.applicationId', '=', 'callApprovals.applicationId')
        .onRef('accounts.id', '=', 'callApprovals.accountId'),
    );

const selectApprovals = (database: Database) =>
  approvalsWithAccounts(database)
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.applicationId', '=', 'accounts.applicationId')
        .onRef('connections.id', '=', 'accounts.connectionId'),
    )
    .selectAll('callApprovals')
    .select([
      'accounts.identifier',
      'accounts.account',
      'connections.name as connectionName',
      'connections.connector',
    ]);

export const callApprovalsTable = (database: Database) => ({
  /** Inserts an approval. Returns false if there is an unexpired approval of an identical tool call. */
  insert: (row: CallApprovalRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('callApprovals')
        .values(row)
        .onConflict((conflict) => conflict.columns(['applicationId', 'callKey']).doNothing()),
    ),

  find: (applicationId: string, id: string): Promise<CallApprovalOf | undefined> =>
    selectApprovals(database)
      .where('callApprovals.applicationId', '=', applicationId)
      .where('callApprovals.id', '=', id)
      .executeTakeFirst(),

  /**
   * Finds an approval by its id. No application id is needed, because the id comes from a signed link in the user's
   * browser, which cannot be forged.
   */
  findByLink: (id: string): Promise<CallApprovalOf | undefined> =>
    selectApprovals(database).where('callApprovals.id', '=', id).executeTakeFirst(),

  findByCall: (applicationId: string, callKey: string): Promise<CallApprovalRow | undefined> =>
    database
      .selectFrom('callApprovals')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('callKey', '=', callKey)
      .executeTakeFirst(),

  findIdByExecution: async (applicationId: string, executionId: string): Promise<string | undefined> => {
    const row = await database
      .selectFrom('callApprovals')
      .select(['applicationId', 'id'])
      .where('applicationId', '=', applicationId)
      .where('executionId', '=', executionId)
      .executeTakeFirst();
    return row?.id;
  },

  /** Lists the users to whose accounts the approvals with these ids belong. */
  usersOf: (
    applicationId: string,
    ids: readonly string[],
  ): Promise<Pick<CallApprovalOf, 'applicationId' | 'id' | 'identifier'>[]> =>
    approvalsWithAccounts(database)
      .select(['callApprovals.applicationId', 'callApprovals.id', 'accounts.identifier'])
      .where('callApprovals.applicationId', '=', applicationId)
      .where('callApprovals.id', 'in', ids)
      .execute(),

  /** Lists the approvals of an application, newest first by default. */
  list: (
    applicationId: string,
    { status, accountId, after, oldestFirst = false, limit }: CallApprovalQuery,
  ): Promise<CallApprovalOf[]> => {
    const order = oldestFirst ? 'asc' : 'desc';
    let select = selectApprovals(database).where('callApprovals.applicationId', '=', applicationId);
    if (accountId !== undefined) select = select.where('callApprovals.accountId', '=', accountId);
    if (status !== undefined) select = select.where('callApprovals.status', '=', status);
    if (after !== undefined)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('callApprovals.createdAt', 'callApprovals.id'),
          oldestFirst ? '>' : '<',
          tuple(after.createdAt, after.id),
        ),
      );
    return select
      .orderBy('callApprovals.createdAt', order)
      .orderBy('callApprovals.id', order)
      .limit(limit)
      .execute();
  },

  /** Counts the approvals of an application that match the conditions. */
  countListed: (applicationId: string, { status, accountId }: CallApprovalConditions): Promise<RowCount> => {
    let select = approvalsWithAccounts(database)
      .select('callApprovals.id')
      .where('callApprovals.applicationId', '=', applicationId);
    if (accountId !== undefined) select = select.where('callApprovals.accountId', '=', accountId);
    if (status !== undefined) select = select.where('callApprovals.status', '=', status);
    return countRows(database, select);
  },

  /**
   * Lists the caller and the user of each pending approval, for checking how many approvals of one caller or user are
   * pending. The list is short, because few approvals are pending at a time.
   */
  callersOfPending: (applicationId: string): Promise<CallerOfPending[]> =>
    approvalsWithAccounts(database)
      .select(['callApprovals.applicationId', 'callApprovals.caller', 'accounts.identifier'])
      .where('callApprovals.applicationId', '=', applicationId)
      .where('callApprovals.status', '=', 'pending')
      .execute(),

  /** Counts the approvals that wait for a decision at the time `at` (milliseconds since 1970). */
  countWaiting: async (applicationId: string, at: number): Promise<number> => {
    const { count } = await database
      .selectFrom('callApprovals')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('applicationId', '=', applicationId)
      .where('status', '=', 'pending')
      .where('holdsUntil', '>', at)
      .executeTakeFirstOrThrow();
    return Number(count);
  },

  /**
   * Changes an approval if it has the given state; otherwise returns `undefined`. Runs a single statement, so that only
   * one of several concurrent changes succeeds.
   */
  change: (
    { applicationId, id }: CallApprovalKey,
    { statuses, executionId, until }: CallApprovalState,
    change: CallApprovalChange,
  ): Promise<CallApprovalRow | undefined> => {
    let update = database
      .updateTable('callApprovals')
      .set(change)
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('status', 'in', statuses);
    if (executionId !== undefined) update = update.where('executionId', '=', executionId);
    if (until !== undefined) update = update.where('holdsUntil', '<=', until);
    return update.returningAll().executeTakeFirst();
  },

  /**
   * Replaces the digest of the tool call with the row id. A repeated call then no longer finds this approval, and
   * requests a new one.
   */
  releaseKey: async ({ applicationId, id }: CallApprovalKey): Promise<void> => {
    await database
      .updateTable('callApprovals')
      .set({ callKey: id })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },

  /** Lists approvals whose status has expired, so that the service must replace the status. */
  overdue: (now: number, limit: number): Promise<CallApprovalRow[]> =>
    database
      .selectFrom('callApprovals')
      .selectAll()
      .where('status', 'in', EXPIRING)
      .where('holdsUntil', '<=', now)
      .limit(limit)
      .execute(),

  /**
   * Deletes the results of tool calls whose approvals have expired, because callers can no longer fetch these results.
   */
  deleteExpiredResults: async (now: number): Promise<void> => {
    await database
      .updateTable('callApprovals')
      .set({ result: null })
      .where('result', 'is not', null)
      .where('holdsUntil', '<=', now)
      .execute();
  },
});

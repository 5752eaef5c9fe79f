import type { CallApprovalStatus } from '../names/approval-statuses.js';
import { inserts } from './affected-rows.js';
import type { CallApprovalRow } from './approval-rows.js';
import type { Database } from './schema.js';

/** Approval with the columns of its account and connection that people read. */
export interface CallApprovalOf extends CallApprovalRow {
  readonly identifier: string;
  readonly connectionName: string;
  readonly connector: string;
}

export type CallApprovalKey = Pick<CallApprovalRow, 'applicationId' | 'id'>;

export interface CallApprovalQuery {
  readonly status?: CallApprovalStatus | undefined;
  /** Cursor: only approvals older than this one. */
  readonly before?: Pick<CallApprovalRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

/** Condition under which an approval changes. */
export interface CallApprovalState {
  readonly statuses: readonly CallApprovalStatus[];
  /** Run that must own the approval. */
  readonly executionId?: string | undefined;
  /** Time at which the status must have expired. */
  readonly until?: number | undefined;
}

export type CallApprovalChange = Partial<
  Pick<
    CallApprovalRow,
    'status' | 'holdsUntil' | 'decidedBy' | 'decidedAt' | 'reason' | 'executionId' | 'answer'
  >
>;

export type CallerOfPending = Pick<CallApprovalOf, 'applicationId' | 'caller' | 'identifier'>;

/** Statuses that another one replaces when they expire. */
const EXPIRING: readonly CallApprovalStatus[] = ['pending', 'approved', 'running'];

const selectApprovals = (database: Database) =>
  database
    .selectFrom('callApprovals')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.applicationId', '=', 'callApprovals.applicationId')
        .onRef('accounts.id', '=', 'callApprovals.accountId'),
    )
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.applicationId', '=', 'accounts.applicationId')
        .onRef('connections.id', '=', 'accounts.connectionId'),
    )
    .selectAll('callApprovals')
    .select(['accounts.identifier', 'connections.name as connectionName', 'connections.connector']);

export const callApprovalsTable = (database: Database) => ({
  /** Returns `false` when the same call has an approval that has not expired. */
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

  /** Finds the approval of a browser, which is no application. A signed link names the row, and the row the application. */
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
    const found = await database
      .selectFrom('callApprovals')
      .select(['applicationId', 'id'])
      .where('applicationId', '=', applicationId)
      .where('executionId', '=', executionId)
      .executeTakeFirst();
    return found?.id;
  },

  /** Newest first. */
  list: (applicationId: string, { status, before, limit }: CallApprovalQuery): Promise<CallApprovalOf[]> => {
    let select = selectApprovals(database).where('callApprovals.applicationId', '=', applicationId);
    if (status !== undefined) select = select.where('callApprovals.status', '=', status);
    if (before !== undefined)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('callApprovals.createdAt', 'callApprovals.id'), '<', tuple(before.createdAt, before.id)),
      );
    return select
      .orderBy('callApprovals.createdAt', 'desc')
      .orderBy('callApprovals.id', 'desc')
      .limit(limit)
      .execute();
  },

  /** Callers and users of all pending approvals. There are few, so that the caller counts them. */
  callersOfPending: (applicationId: string): Promise<CallerOfPending[]> =>
    database
      .selectFrom('callApprovals')
      .innerJoin('accounts', (join) =>
        join
          .onRef('accounts.applicationId', '=', 'callApprovals.applicationId')
          .onRef('accounts.id', '=', 'callApprovals.accountId'),
      )
      .select(['callApprovals.applicationId', 'callApprovals.caller', 'accounts.identifier'])
      .where('callApprovals.applicationId', '=', applicationId)
      .where('callApprovals.status', '=', 'pending')
      .execute(),

  /** Changes an approval in this state, or returns `undefined`. One statement, so that of concurrent changes one succeeds. */
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

  /** Releases the key, so that the same call gets a new approval from now on. */
  releaseKey: async ({ applicationId, id }: CallApprovalKey): Promise<void> => {
    await database
      .updateTable('callApprovals')
      .set({ callKey: id })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },

  /** Approvals whose status has expired and must be replaced. */
  overdue: (now: number, limit: number): Promise<CallApprovalRow[]> =>
    database
      .selectFrom('callApprovals')
      .selectAll()
      .where('status', 'in', EXPIRING)
      .where('holdsUntil', '<=', now)
      .limit(limit)
      .execute(),

  /** Deletes outcomes that no caller gets any more. */
  deleteExpiredAnswers: async (now: number): Promise<void> => {
    await database
      .updateTable('callApprovals')
      .set({ answer: null })
      .where('answer', 'is not', null)
      .where('holdsUntil', '<=', now)
      .execute();
  },
});

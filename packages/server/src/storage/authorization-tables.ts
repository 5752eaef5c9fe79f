import { deletes, updates } from './affected-rows.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow, PendingApprovalRow } from './authorization-rows.js';
import type { AccountRow, Database } from './schema.js';

export interface CallbackKey {
  readonly stateDigest: string;
  readonly browserDigest: string;
  readonly connectionId: string;
  readonly now: number;
}

/** A browser is no application: the digest of a secret that only it has finds the row, and the row names the application. */
export const authorizationFlowsTable = (database: Database) => ({
  insertLink: async (link: AuthorizationLinkRow): Promise<void> => {
    await database.insertInto('authorizationLinks').values(link).execute();
  },

  findLink: (tokenDigest: string): Promise<AuthorizationLinkRow | undefined> =>
    database
      .selectFrom('authorizationLinks')
      .selectAll()
      .where('tokenDigest', '=', tokenDigest)
      .executeTakeFirst(),

  /** Returns whether this call used the link. One statement, so that of concurrent calls one does. */
  useLink: (tokenDigest: string, now: number): Promise<boolean> =>
    updates(
      database
        .updateTable('authorizationLinks')
        .set({ usedAt: now })
        .where('tokenDigest', '=', tokenDigest)
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', now),
    ),

  insertFlow: async (flow: AuthorizationFlowRow): Promise<void> => {
    await database.insertInto('authorizationFlows').values(flow).execute();
  },

  /** Finds and consumes a flow by state, browser, connection and time. One statement, so that a flow is consumed once. */
  consumeFlow: ({ now, ...key }: CallbackKey): Promise<AuthorizationFlowRow | undefined> =>
    database
      .updateTable('authorizationFlows')
      .set({ consumedAt: now })
      .where('stateDigest', '=', key.stateDigest)
      .where('browserDigest', '=', key.browserDigest)
      .where('connectionId', '=', key.connectionId)
      .where('consumedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returningAll()
      .executeTakeFirst(),

  /** Finds the flow of a callback that was refused, for the audit log alone. */
  findFlow: (stateDigest: string): Promise<AuthorizationFlowRow | undefined> =>
    database
      .selectFrom('authorizationFlows')
      .selectAll()
      .where('stateDigest', '=', stateDigest)
      .executeTakeFirst(),

  /** Stores a refusal. Returns whether it was the first one of this link or flow. */
  refuse: (table: 'authorizationLinks' | 'authorizationFlows', id: string, now: number): Promise<boolean> =>
    updates(
      database.updateTable(table).set({ refusedAt: now }).where('id', '=', id).where('refusedAt', 'is', null),
    ),

  /** Deletes the links and flows of an account. */
  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    for (const table of ['authorizationLinks', 'authorizationFlows'] as const)
      await database
        .deleteFrom(table)
        .where('applicationId', '=', applicationId)
        .where('accountId', '=', id)
        .execute();
  },
});

/** Key with the digest of a secret that only the user's browser and the application get. */
export interface PendingApprovalKey {
  readonly applicationId: string;
  readonly requestDigest: string;
  readonly now: number;
}

export const pendingApprovalsTable = (database: Database) => ({
  insert: async (pending: PendingApprovalRow): Promise<void> => {
    await database.insertInto('pendingApprovals').values(pending).execute();
  },

  find: ({
    applicationId,
    requestDigest,
    now,
  }: PendingApprovalKey): Promise<PendingApprovalRow | undefined> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('requestDigest', '=', requestDigest)
      .where('expiresAt', '>', now)
      .executeTakeFirst(),

  /**
   * Owner, for the audit log alone. The column is renamed, because the caller may be another application, from which
   * `refuseForeignRows` withholds rows with an `applicationId`.
   */
  findOwner: (requestDigest: string): Promise<{ ownerId: string; accountId: string } | undefined> =>
    database
      .selectFrom('pendingApprovals')
      .select(['applicationId as ownerId', 'accountId'])
      .where('requestDigest', '=', requestDigest)
      .executeTakeFirst(),

  ofAccount: (applicationId: string, accountId: string): Promise<PendingApprovalRow[]> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', accountId)
      .execute(),

  expired: (now: number, limit: number): Promise<PendingApprovalRow[]> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('expiresAt', '<=', now)
      .orderBy('expiresAt')
      .limit(limit)
      .execute(),

  /** Deletes the row with its tokens. Returns whether this call did: of concurrent calls one does. */
  take: (applicationId: string, id: string): Promise<boolean> =>
    deletes(
      database.deleteFrom('pendingApprovals').where('applicationId', '=', applicationId).where('id', '=', id),
    ),

  /** Deletes the rows of an account, with their tokens. */
  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    await database
      .deleteFrom('pendingApprovals')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', id)
      .execute();
  },
});

import type { PendingApprovalRow } from './authorization-rows.js';
import type { Database } from './database.js';
import type { AccountRow } from './schema.js';

/** Found by the digest of a secret that only the user's browser and the application get. */
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

  /** Whose it is, for the audit log alone: who asks may be somebody else, from whom rows of that name are withheld. */
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

  /** Deletes it with its tokens. Of several who ask at the same time one is told that it was there. */
  take: async (applicationId: string, id: string): Promise<boolean> => {
    const { numDeletedRows } = await database
      .deleteFrom('pendingApprovals')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },

  /** Those of an account, with their tokens. */
  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    await database
      .deleteFrom('pendingApprovals')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', id)
      .execute();
  },
});

import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { Revoke, Revoked } from './revoke.js';

/** Tokens that nobody has verified yet. */
export interface WaitingTokens {
  /** Ends those that wait for an account which is about to lose its access. */
  discardOf(account: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void>;
}

export interface RemoveAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly revoke: Revoke;
  readonly pendingApprovals: WaitingTokens;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
}

/** Ends the account's access upstream where that can be done, and deletes the account in any case; says what became of the access. */
export type RemoveAccount = (
  account: AccountRow,
  options?: { readonly isAway?: boolean },
) => Promise<Revoked>;

export const createRemoveAccount =
  ({ storage, revoke, pendingApprovals, commit, lock, cache }: RemoveAccountParts): RemoveAccount =>
  ({ applicationId, id, connectionId }, options) =>
    // In the lock, so that a refresh in flight does not leave new tokens behind.
    lock(
      id,
      async () => {
        const latest = await storage.accounts.find(applicationId, id);
        const connection = await storage.connections.find(applicationId, connectionId);
        await pendingApprovals.discardOf({ applicationId, id });
        const upstream =
          latest && connection ? await revoke(connection, latest, options) : 'nothing_to_revoke';
        await commit(async (tables, tell) => {
          const deleted = await tables.accounts.delete(applicationId, id);
          if (deleted) tell({ action: 'account.deleted', applicationId, object: id, reason: upstream });
        });
        cache.drop(id);
        return upstream;
      },
      applicationId,
    );

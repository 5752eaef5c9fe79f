import type { Commit } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { Revoke, Revoked } from './revoke.js';

/** Tokens of a consent whose user the application has not verified yet. */
export interface UnverifiedTokens {
  /** Revokes the unverified tokens of an account that is about to lose its access. */
  discardOf(account: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void>;
}

export interface RemoveAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly revoke: Revoke;
  readonly pendingConsents: UnverifiedTokens;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
}

export function createRemoveAccount(parts: RemoveAccountParts) {
  const { storage, revoke, pendingConsents, commit, lock, cache } = parts;

  /**
   * Revokes the account's access at the upstream if possible, and deletes the account in any case. Resolves to the
   * outcome at the upstream.
   */
  function removeAccount(
    { applicationId, id, connectionId }: AccountRow,
    options?: { readonly isAway?: boolean },
  ): Promise<Revoked> {
    async function remove(): Promise<Revoked> {
      const latest = await storage.accounts.find(applicationId, id);
      const connection = await storage.connections.find(applicationId, connectionId);
      await pendingConsents.discardOf({ applicationId, id });
      const upstream = latest && connection ? await revoke(connection, latest, options) : 'nothing_to_revoke';
      await commit(async (tables, recordEvent) => {
        const deleted = await tables.accounts.delete(applicationId, id);
        if (deleted)
          recordEvent({
            action: 'account.deleted',
            applicationId,
            object: id,
            reason: upstream,
            deleted: latest,
          });
      });
      cache.drop(id);
      return upstream;
    }
    // The account's lock waits for a running token refresh. A refresh could otherwise get new tokens after the
    // revocation.
    return lock(id, remove, applicationId);
  }
  return removeAccount;
}

export type RemoveAccount = ReturnType<typeof createRemoveAccount>;

import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { EndSubscriptions } from './end-subscriptions.js';
import type { Revoke, Revoked } from './revoke.js';

/** Tokens of a new consent that are not used yet, because the application has not verified the identity of the user. */
export interface UnverifiedTokens {
  /**
   * Revokes the tokens of a consent that the application has not verified yet. The account is about to lose its access.
   */
  discardOf(account: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void>;
}

export interface RemoveAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections' | 'events'>;
  readonly endSubscriptions: EndSubscriptions;
  readonly revoke: Revoke;
  readonly pendingConsents: UnverifiedTokens;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
}

export function createRemoveAccount(parts: RemoveAccountParts) {
  const { storage, endSubscriptions, revoke, pendingConsents, commit, lock, cache } = parts;

  /**
   * Revokes the account's access at the upstream if possible, and deletes the account in any case. Resolves to the
   * outcome at the upstream.
   */
  async function removeAccount(
    account: StoredAccount,
    options?: { readonly isAway?: boolean },
  ): Promise<Revoked> {
    const { applicationId, id, connectionId } = account;
    async function remove(): Promise<Revoked> {
      const latest = await storage.accounts.find(applicationId, id);
      const connection = await storage.connections.find(applicationId, connectionId);
      await pendingConsents.discardOf({ applicationId, id });
      while (await storage.events.eraseSomePayloads(applicationId, id));
      const upstream = latest && connection ? await revoke(connection, latest, options) : 'nothing_to_revoke';
      await commit(async (tables, audit) => {
        const deleted = await tables.accounts.delete(applicationId, id);
        // The payloads of the account's events are erased again, because a poll of a watch may have written more of
        // them. No poll follows, because the deletion of the account has ended its watches.
        while (await tables.events.eraseSomePayloads(applicationId, id));
        if (deleted)
          audit({
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
    // This runs before the account's lock is taken, because deleting subscriptions at the upstream may refresh the
    // token under that lock.
    await endSubscriptions(account, options);
    // Runs under the account's lock, after a running token refresh has ended. Otherwise a refresh could get new tokens
    // after the revocation.
    return lock(id, remove, applicationId);
  }
  return removeAccount;
}

export type RemoveAccount = ReturnType<typeof createRemoveAccount>;

import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { AccountRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { EndSubscriptions } from './end-subscriptions.js';
import type { Revoke, Revoked } from './revoke.js';
import type { TokenWriter } from './token-writer.js';

/** Tokens of a new consent that are not used yet, because the application has not verified the identity of the user. */
export interface UnverifiedTokens {
  /**
   * Ends all consents of an account that is about to lose its access, and revokes the tokens of those that the
   * application has not verified yet.
   */
  discardOf(account: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void>;
}

export interface RemoveAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections' | 'events'>;
  readonly endSubscriptions: EndSubscriptions;
  readonly revoke: Revoke;
  readonly pendingConsents: UnverifiedTokens;
  readonly tokenWriter: Pick<TokenWriter, 'flush'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
}

export function createRemoveAccount(parts: RemoveAccountParts) {
  const { storage, endSubscriptions, revoke, pendingConsents, tokenWriter, commit, lock, cache } = parts;

  /** Deletes an account whose access was revoked. Returns false if the account was changed meanwhile. */
  function deleteRevoked(account: StoredAccount, upstream: Revoked): Promise<boolean> {
    const { applicationId, id } = account;
    return commit(async (tables, audit) => {
      if (!(await tables.accounts.delete(account))) return false;
      // The payloads of the account's events are erased again, because a poll of a watch may have written more of them.
      // No poll follows, because the deletion of the account has ended its watches.
      while (await tables.events.eraseSomePayloads(applicationId, id));
      audit({ action: 'account.deleted', applicationId, object: id, reason: upstream, deleted: account });
      return true;
    });
  }

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
      // Stores tokens that are only on disk, so that the newest token is revoked.
      await tokenWriter.flush(id);
      for (;;) {
        const latest = await storage.accounts.find(applicationId, id);
        if (!latest) return 'nothing_to_revoke';
        const connection = await storage.connections.find(applicationId, connectionId);
        await pendingConsents.discardOf(latest);
        while (await storage.events.eraseSomePayloads(applicationId, id));
        const upstream = connection ? await revoke(connection, latest, options) : 'nothing_to_revoke';
        const isDeleted = await deleteRevoked(latest, upstream);
        cache.drop(id);
        if (isDeleted) return upstream;
      }
    }
    // Ends the subscriptions before taking the account's lock, because deleting them at the upstream may refresh the
    // token under that lock.
    await endSubscriptions(account, options);
    // Runs under the account's lock, after a running token refresh has ended. Otherwise a refresh could get new tokens
    // after the revocation. A consent does not take the lock. If one changes the account meanwhile, `remove` starts again.
    return lock(id, remove, applicationId);
  }
  return removeAccount;
}

export type RemoveAccount = ReturnType<typeof createRemoveAccount>;

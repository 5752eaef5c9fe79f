import type { AccountStatusReason } from '../names/status-reasons.js';
import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { EndSubscriptions } from './end-subscriptions.js';
import type { UnverifiedTokens } from './remove-account.js';
import type { Revoke, Revoked } from './revoke.js';
import { REFRESH_WORKS } from './token-columns.js';
import type { TokenWriter } from './token-writer.js';

export interface RevokeAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly endSubscriptions: EndSubscriptions;
  readonly revoke: Revoke;
  readonly pendingConsents: UnverifiedTokens;
  readonly tokenWriter: Pick<TokenWriter, 'flush'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** Status reason of a revoked account: whether the application or an operator has revoked it. */
export type RevocationReason = Extract<AccountStatusReason, 'revoked_by_application' | 'revoked_by_operator'>;

export interface RevokedAccount {
  /** Account after its secrets were deleted. */
  readonly account: StoredAccount;
  readonly upstream: Revoked;
}

/** True if the account has secrets, or if its first consent waits until the application verifies the user. */
export const holdsSecrets = ({ accessToken, refreshToken, credentials, status }: StoredAccount): boolean =>
  accessToken !== null || refreshToken !== null || credentials !== '{}' || status === 'pending_verification';

// True for an account that has never got access, so that nothing has to be revoked.
const hasNothing = (account: StoredAccount): boolean =>
  account.status === 'unauthorized' && !holdsSecrets(account);

const EMPTIED = {
  status: 'reauthorization_required',
  accessToken: null,
  refreshToken: null,
  credentials: '{}',
  expiresAt: null,
  refreshStartedAt: null,
  ...REFRESH_WORKS,
} as const;

export function createRevokeAccount(parts: RevokeAccountParts) {
  const { storage, endSubscriptions, revoke, pendingConsents, tokenWriter, commit, lock, cache, now } = parts;

  /**
   * Deletes the account's secrets in the database and sets its status. Resolves to `undefined` if the account was
   * changed meanwhile.
   */
  async function empty(account: StoredAccount, reason: RevocationReason, upstream: Revoked) {
    const { applicationId, id } = account;
    const change = { ...EMPTIED, statusReason: reason, updatedAt: now() };
    const changed = await commit(async (tables, audit) => {
      const row = await tables.accounts.change(account, change);
      if (!row) return undefined;
      // Deletes unverified consents too, because they could give the account new access.
      await tables.pendingConsents.deleteOf(account);
      audit({ action: 'account.revoked', applicationId, object: id, reason: upstream });
      return row;
    });
    cache.drop(id);
    return changed;
  }

  /**
   * Revokes the account's access at the upstream if possible, and deletes its secrets in any case. The account stays,
   * and its user can consent again. Resolves to `undefined` if the account was deleted.
   */
  async function revokeAccount(
    { applicationId, id, connector }: Pick<StoredAccount, 'applicationId' | 'id' | 'connector'>,
    reason: RevocationReason,
  ): Promise<RevokedAccount | undefined> {
    async function revokeLocked(): Promise<RevokedAccount | undefined> {
      await tokenWriter.flush(id);
      for (;;) {
        const account = await storage.accounts.find(applicationId, id);
        if (!account) return undefined;
        if (hasNothing(account)) return { account, upstream: 'nothing_to_revoke' };
        const connection = await storage.connections.find(applicationId, account.connectionId);
        if (!connection) return undefined;
        await pendingConsents.discardOf(account);
        const upstream = await revoke(connection, account);
        const emptied = await empty(account, reason, upstream);
        if (emptied) return { account: { ...account, ...emptied }, upstream };
      }
    }
    // Ends the subscriptions before taking the account's lock, because deleting them at the upstream may refresh the
    // token under that lock.
    await endSubscriptions({ applicationId, id, connector });
    // The lock waits for a running token refresh, which could otherwise store new tokens after the revocation. A
    // consent does not take the lock. If one changes the account meanwhile, `revokeLocked` starts again.
    return lock(id, revokeLocked, applicationId);
  }
  return revokeAccount;
}

export type RevokeAccount = ReturnType<typeof createRevokeAccount>;

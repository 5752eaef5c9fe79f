import type { AccountStatusReason } from '../names/status-reasons.js';
import type { Commit } from '../records/commit.js';
import type { Account } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { KeepTokens } from './keep-tokens.js';
import type { UnverifiedTokens } from './remove-account.js';
import type { Revoke, Revoked } from './revoke.js';

export interface RevokeAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly revoke: Revoke;
  readonly pendingConsents: UnverifiedTokens;
  readonly keepTokens: Pick<KeepTokens, 'flush'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** Origin of a revocation. */
export type RevocationReason = Extract<AccountStatusReason, 'revoked_by_application' | 'revoked_by_operator'>;

export interface RevokedAccount {
  /** The account after the change. */
  readonly account: Account;
  readonly upstream: Revoked;
}

/** True if the account has usable secrets, or may get some from a consent that waits for verification. */
export const holdsSecrets = ({ accessToken, refreshToken, credentials, status }: Account): boolean =>
  accessToken !== null || refreshToken !== null || credentials !== '{}' || status === 'pending_verification';

// An account without any consent has no access that could end.
const hasNothing = (account: Account): boolean => account.status === 'unauthorized' && !holdsSecrets(account);

const EMPTIED = {
  status: 'reauthorization_required',
  accessToken: null,
  refreshToken: null,
  credentials: '{}',
  expiresAt: null,
  refreshStartedAt: null,
} as const;

export function createRevokeAccount(parts: RevokeAccountParts) {
  const { storage, revoke, pendingConsents, keepTokens, commit, lock, cache, now } = parts;

  /** Gives `undefined` if the account has another version now. */
  async function empty(account: Account, reason: RevocationReason, upstream: Revoked) {
    const { applicationId, id } = account;
    const change = { ...EMPTIED, statusReason: reason, updatedAt: now() };
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, change);
      if (!row) return undefined;
      // Open links, flows and consents of the account end with its access.
      await tables.authorizationFlows.deleteOf(account);
      await tables.pendingApprovals.deleteOf(account);
      tell({ action: 'account.revoked', applicationId, object: id, reason: upstream });
      return row;
    });
    cache.drop(id);
    return changed;
  }

  /**
   * Revokes the access upstream if possible, and here in any case. The account stays, and its user can consent again by a
   * new link. Gives `undefined` if the account was deleted.
   */
  function revokeAccount(
    { applicationId, id }: Pick<Account, 'applicationId' | 'id'>,
    reason: RevocationReason,
  ): Promise<RevokedAccount | undefined> {
    async function revokeLocked(): Promise<RevokedAccount | undefined> {
      await keepTokens.flush(id);
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
    // The lock waits for a running refresh, which would leave new tokens behind. The loop repeats after a consent.
    return lock(id, revokeLocked, applicationId);
  }
  return revokeAccount;
}

export type RevokeAccount = ReturnType<typeof createRevokeAccount>;

import type { AccountStatusReason } from '../names/status-reasons.js';
import type { Commit } from '../records/commit.js';
import type { Account } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { KeepTokens } from './keep-tokens.js';
import type { WaitingTokens } from './remove-account.js';
import type { Revoke, Revoked } from './revoke.js';

export interface RevokeAccountParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly revoke: Revoke;
  readonly pendingApprovals: WaitingTokens;
  readonly keepTokens: Pick<KeepTokens, 'settle'>;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** Who wanted the access to end. */
export type RevocationReason = Extract<AccountStatusReason, 'revoked_by_application' | 'revoked_by_operator'>;

export interface RevokedAccount {
  /** As it is now. */
  readonly account: Account;
  readonly upstream: Revoked;
}

/**
 * Ends the account's access, upstream where that can be done and here in any case; the account stays, and its user can approve
 * again by a new link. `undefined` when it was deleted meanwhile.
 */
export type RevokeAccount = (
  account: Pick<Account, 'applicationId' | 'id'>,
  reason: RevocationReason,
) => Promise<RevokedAccount | undefined>;

/** Whether anything of it could be used, or could come to be by an approval that waits. */
export const holdsSecrets = ({ accessToken, refreshToken, credentials, status }: Account): boolean =>
  accessToken !== null || refreshToken !== null || credentials !== '{}' || status === 'pending_verification';

// Nothing was ever given to it, so there is no access that could have ended.
const hasNothing = (account: Account): boolean => account.status === 'unauthorized' && !holdsSecrets(account);

const EMPTIED = {
  status: 'reauthorization_required',
  accessToken: null,
  refreshToken: null,
  credentials: '{}',
  expiresAt: null,
  refreshStartedAt: null,
} as const;

export function createRevokeAccount(parts: RevokeAccountParts): RevokeAccount {
  const { storage, revoke, pendingApprovals, keepTokens, commit, lock, cache, now } = parts;

  /** `undefined` when it was not that version any more. */
  async function empty(account: Account, reason: RevocationReason, upstream: Revoked) {
    const { applicationId, id } = account;
    const change = { ...EMPTIED, statusReason: reason, updatedAt: now() };
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, change);
      if (!row) return undefined;
      // What was asked of the user before, and what came of it, leads nowhere any more.
      await tables.authorizationFlows.deleteOf(account);
      await tables.pendingApprovals.deleteOf(account);
      tell({ action: 'account.revoked', applicationId, object: id, reason: upstream });
      return row;
    });
    cache.drop(id);
    return changed;
  }

  // In the lock, so that a refresh in flight does not leave new tokens behind; an approval may, and is revoked as well.
  return ({ applicationId, id }, reason) =>
    lock(
      id,
      async () => {
        await keepTokens.settle(id);
        for (;;) {
          const account = await storage.accounts.find(applicationId, id);
          if (!account) return undefined;
          if (hasNothing(account)) return { account, upstream: 'nothing_to_revoke' };
          const connection = await storage.connections.find(applicationId, account.connectionId);
          if (!connection) return undefined;
          await pendingApprovals.discardOf(account);
          const upstream = await revoke(connection, account);
          const emptied = await empty(account, reason, upstream);
          if (emptied) return { account: { ...account, ...emptied }, upstream };
        }
      },
      applicationId,
    );
}

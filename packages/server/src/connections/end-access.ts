import type { AccountStatusReason } from '../names/status-reasons.js';
import type { Commit } from '../records/commit.js';
import type { AccountVersion, StoredAccount } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import { type Connectors, findConnector, keyField } from './connector.js';
import { findAccount } from './find-account.js';
import { REFRESH_WORKS } from './token-columns.js';

export interface EndAccessParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly commit: Commit;
  readonly connectors: Connectors;
  readonly cache: AccountCache;
  readonly now: () => number;
}

interface RefusedAccount extends AccountVersion {
  readonly connector: string;
}

/** Creates the functions that end an account's access after its credential has expired or was refused. */
export function createEndAccess({ storage, commit, connectors, cache, now }: EndAccessParts) {
  /**
   * Ends the access of an account whose credential has expired or was refused: the user must consent again. Does
   * nothing and returns the account if it now has a newer credential, or a refresh token (rule R10 in
   * security-rules.md). Throws account_not_authorized after it has ended the access.
   *
   * Two other functions also set `reauthorization_required`: `endAfterRefusedRefresh` in refresh-failure.ts, and
   * `empty` in revoke-account.ts.
   */
  async function endUnlessRenewed(
    { applicationId, id, version }: AccountVersion,
    statusReason: Extract<AccountStatusReason, 'token_expired' | 'token_refused' | 'key_refused'>,
    advice?: string,
  ): Promise<StoredAccount> {
    const account = await findAccount(storage, applicationId, id);
    if (account.version > version || account.refreshToken !== null) return account;
    const ended = { status: 'reauthorization_required', statusReason } as const;
    const changed = await commit(async (tables, audit) => {
      const row = await tables.accounts.change(account, {
        ...ended,
        ...REFRESH_WORKS,
        accessToken: null,
        updatedAt: now(),
      });
      const event = { applicationId, object: id, reason: statusReason };
      if (row) audit({ action: 'account.reauthorization_required', ...event });
      return row;
    });
    cache.drop(id);
    if (changed === undefined) return findAccount(storage, applicationId, id);
    const { auth } = findConnector(connectors, account.connector);
    throw accountNotAuthorized({ ...account, ...ended }, auth.type, advice);
  }

  /**
   * Ends the access of an account whose credential the upstream refuses. It returns and throws in the same cases as
   * `endUnlessRenewed`.
   */
  function endRefused(account: RefusedAccount, advice: string | undefined): Promise<StoredAccount> {
    const isKey = keyField(findConnector(connectors, account.connector).auth.type) !== undefined;
    return endUnlessRenewed(account, isKey ? 'key_refused' : 'token_refused', advice);
  }

  return { endUnlessRenewed, endRefused };
}

export type EndAccess = ReturnType<typeof createEndAccess>;

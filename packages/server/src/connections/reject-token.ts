import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import { type Connectors, findConnector } from './connector.js';
import { type Discoveries, guardedAt } from './discoveries.js';
import { findAccount } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

export interface RejectTokenParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly commit: Commit;
  readonly connectors: Connectors;
  readonly discoveries: Discoveries;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/**
 * Takes note that an MCP server refused the newest token of an account. Its authorization server may be another one now, so
 * it is asked again before the next approval. Where nothing can renew the token, account_not_authorized is thrown.
 */
export type RejectToken = (account: ResolvedAccount) => Promise<void>;

export const createRejectToken =
  ({ storage, commit, connectors, discoveries, cache, now }: RejectTokenParts): RejectToken =>
  async ({ applicationId, id, baseUrl, connector }) => {
    const found = findConnector(connectors, connector);
    if (found.auth.type !== 'mcp_oauth') return;
    discoveries.forget(guardedAt(baseUrl, found));
    const account = await findAccount(storage, applicationId, id);
    if (account.status !== 'authorized' || account.refreshToken !== null) return;
    const ended = { status: 'reauthorization_required', statusReason: 'token_refused' } as const;
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, { ...ended, accessToken: null, updatedAt: now() });
      const event = { applicationId, object: id, reason: ended.statusReason };
      if (row) tell({ action: 'account.reauthorization_required', ...event });
      return row;
    });
    cache.drop(id);
    if (changed) throw accountNotAuthorized({ ...account, ...ended }, found.auth.type);
  };

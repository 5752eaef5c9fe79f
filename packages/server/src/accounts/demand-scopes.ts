import { challengeOf } from '../oauth/challenge.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { scopesMissing } from './account-not-authorized.js';
import { readScopes } from './connection-oauth.js';
import { findAccount } from './find-account.js';
import type { ResolvedAccount } from './resolve.js';

export interface DemandScopesParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/**
 * Reads the challenge (`WWW-Authenticate`) of a 403. When it wants scopes that the account does not have, they are asked for
 * by its next link, and account_not_authorized is thrown; what the account may do already it still may.
 */
export type DemandScopes = (account: ResolvedAccount, challenge: string) => Promise<void>;

export const createDemandScopes =
  ({ storage, cache, now }: DemandScopesParts): DemandScopes =>
  async ({ applicationId, id }, header) => {
    const answer = new Response(null, { status: 403, headers: { 'www-authenticate': header } });
    const { error, scopes = [] } = await challengeOf(answer);
    if (error !== 'insufficient_scope') return;
    const account = await findAccount(storage, applicationId, id);
    const granted = readScopes(account.scopes);
    // A server that still wants what it has granted would want it for ever.
    if (scopes.every((scope) => granted.includes(scope))) return;
    const wantedScopes = JSON.stringify([...new Set([...granted, ...scopes])]);
    await storage.accounts.change(account, { wantedScopes, updatedAt: now() });
    cache.drop(id);
    throw scopesMissing(account, scopes);
  };

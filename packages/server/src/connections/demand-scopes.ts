import type { Storage } from '../storage/storage.js';
import { scopesMissing, scopesNotRequested } from './account-not-authorized.js';
import { readScopes, scopesOf } from './connection-oauth.js';
import { type Connectors, findConnector } from './connector.js';
import { findAccount, findConnectionOf } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

interface DemandScopesParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
}

/** Creates the function that handles an upstream's refusal of an access token without a needed OAuth scope. */
export function createDemandScopes({ storage, connectors }: DemandScopesParts) {
  /**
   * Throws account_not_authorized if the user has to grant a scope, or connection_not_configured if the connection
   * requests none of the scopes. `scopes`: the tool's scopes, of which the upstream accepts each. Does nothing if the
   * user has granted one of them, because another consent would not help. The account stays authorized.
   */
  return async function demandScopes(
    { applicationId, id }: Pick<ResolvedAccount, 'applicationId' | 'id'>,
    scopes: readonly string[],
  ): Promise<void> {
    const account = await findAccount(storage, applicationId, id);
    const { auth } = findConnector(connectors, account.connector);
    const granted = readScopes(account.scopes);
    const isGranted = scopes.some((scope) => granted.includes(scope));
    if (auth.type !== 'oauth2' || scopes.length === 0 || isGranted) return;
    const requested = scopesOf(await findConnectionOf(storage, account), auth);
    const missing = scopes.find((scope) => requested.includes(scope));
    throw missing === undefined ? scopesNotRequested(account, scopes) : scopesMissing(account, [missing]);
  };
}

export type DemandScopes = ReturnType<typeof createDemandScopes>;

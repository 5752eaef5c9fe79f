import type { PendingApprovals } from '../authorization/pending-approvals.js';
import type { AccountCache } from '../connections/account-cache.js';
import { createAccounts } from '../connections/accounts.js';
import { createBackoff } from '../connections/backoff.js';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import { createConnections } from '../connections/connections.js';
import { createCredentials } from '../connections/credentials.js';
import { createDemandScopes } from '../connections/demand-scopes.js';
import type { Discoveries } from '../connections/discoveries.js';
import { createHearChallenge } from '../connections/hear-challenge.js';
import { createKeepTokens } from '../connections/keep-tokens.js';
import { createOpenIntents } from '../connections/open-intents.js';
import { createRefresh } from '../connections/refresh.js';
import { createRejectToken } from '../connections/reject-token.js';
import { createRemoveAccount } from '../connections/remove-account.js';
import { createResolve } from '../connections/resolve.js';
import { createRevoke } from '../connections/revoke.js';
import { createRevokeAccount } from '../connections/revoke-account.js';
import { createRevokeAccounts } from '../connections/revoke-accounts.js';
import type { OAuth } from '../oauth/oauth.js';
import type { Commit } from '../records/commit.js';
import type { Vault } from '../vault/vault.js';
import type { AuthorizationParts } from './authorization-parts.js';

interface ConnectedAccountsParts {
  readonly cache: AccountCache;
  readonly commit: Commit;
  readonly connectionNames: ConnectionNames;
  readonly describeOAuth: DescribeOAuth;
  readonly discoveries: Discoveries;
  readonly oauth: OAuth;
  readonly pendingApprovals: PendingApprovals;
  readonly vault: Vault;
}

/** Builds connections, connected accounts and their credentials: reading, refreshing, revoking and removing them. */
export function createConnectedAccounts(
  {
    caller,
    connectors,
    environmentUrl,
    isAllowedOrigin,
    jitter,
    lock,
    now,
    random,
    spool,
    storage,
    tools,
    wait,
  }: AuthorizationParts,
  {
    cache,
    commit,
    connectionNames,
    describeOAuth,
    discoveries,
    oauth,
    pendingApprovals,
    vault,
  }: ConnectedAccountsParts,
) {
  const keepTokens = createKeepTokens({ storage, vault, spool, cache, jitter });
  const revoke = createRevoke({ connectors, describeOAuth, vault, oauth, wait });
  const removeAccount = createRemoveAccount({ storage, revoke, pendingApprovals, commit, lock, cache });
  const revokeAccount = createRevokeAccount({
    storage,
    revoke,
    pendingApprovals,
    keepTokens,
    commit,
    lock,
    cache,
    now,
  });
  const accounts = createAccounts({
    storage,
    connectors,
    vault,
    removeAccount,
    revokeAccount,
    caller,
    commit,
    cache,
    now,
    random,
  });
  const connections = createConnections({
    storage,
    connectors,
    vault,
    isAllowedOrigin,
    tools,
    removeAccount,
    commit,
    cache,
    connectionNames,
    environmentUrl,
    now,
    random,
  });
  const refresh = createRefresh({
    storage,
    commit,
    backoff: createBackoff({ now, jitter }),
    intents: createOpenIntents({ graceMs: lock.graceMs, now }),
    cache,
    oauth,
    describeOAuth,
    vault,
    keepTokens,
    lock,
    environmentUrl,
    now,
    random,
  });
  return {
    accounts,
    connections,
    credentials: createCredentials({ storage, commit, vault, refresh, cache, now, jitter }),
    hearChallenge: createHearChallenge({
      demandScopes: createDemandScopes({ storage, cache, now }),
      rejectToken: createRejectToken({ storage, commit, connectors, discoveries, cache, now }),
    }),
    keepTokens,
    resolve: createResolve({ storage, connectors, cache }),
    revokeAccounts: createRevokeAccounts({ storage, revokeAccount }),
  };
}

import type { PendingConsents } from '../authorization/pending-consents.js';
import type { AccountCache } from '../connections/account-cache.js';
import { createSetSecrets } from '../connections/account-secrets.js';
import { createAccounts } from '../connections/accounts.js';
import { createBackoff } from '../connections/backoff.js';
import { createConnectionMarks } from '../connections/connection-marks.js';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import { createToConnectionColumns } from '../connections/connection-settings.js';
import { createConnections } from '../connections/connections.js';
import { createCredentials } from '../connections/credentials.js';
import type { Discoveries } from '../connections/discoveries.js';
import { createEndAccess } from '../connections/end-access.js';
import { createHandleChallenge } from '../connections/handle-challenge.js';
import { createImportTokens } from '../connections/import-tokens.js';
import { createInsertAccount } from '../connections/insert-account.js';
import { createOpenIntents } from '../connections/open-intents.js';
import { createProveTokens } from '../connections/prove-tokens.js';
import { createRefresh } from '../connections/refresh.js';
import { createHandleRefreshFailure } from '../connections/refresh-failure.js';
import { createRemoveAccount } from '../connections/remove-account.js';
import { createRequestTokens } from '../connections/request-tokens.js';
import { createResolve } from '../connections/resolve.js';
import { createRevoke } from '../connections/revoke.js';
import { createRevokeAccount } from '../connections/revoke-account.js';
import { createRevokeAccounts } from '../connections/revoke-accounts.js';
import { createTokenWriter } from '../connections/token-writer.js';
import type { ConfirmRefusal } from '../connections/try-client.js';
import { createTrySecrets } from '../connections/try-secrets.js';
import type { OAuth } from '../oauth/oauth.js';
import type { Commit } from '../records/commit.js';
import type { Vault } from '../vault/vault.js';
import type { AuthorizationParts } from './authorization-parts.js';

interface ConnectedAccountsParts {
  readonly cache: AccountCache;
  readonly commit: Commit;
  readonly confirmRefusal: ConfirmRefusal;
  readonly connectionNames: ConnectionNames;
  readonly describeOAuth: DescribeOAuth;
  readonly discoveries: Discoveries;
  readonly oauth: OAuth;
  readonly pendingConsents: PendingConsents;
  readonly vault: Vault;
}

/**
 * Creates the components for connections, connected accounts and their credentials, including refresh, revocation and
 * deletion.
 */
export function createConnectedAccounts(
  {
    caller,
    connectors,
    digest,
    endSubscriptions = async () => undefined,
    environmentUrl,
    isAllowedOrigin,
    jitter,
    lock,
    now,
    onRefresh,
    random,
    spool,
    storage,
    tools,
    verifyCredential,
    wait,
  }: AuthorizationParts,
  {
    cache,
    commit,
    confirmRefusal,
    connectionNames,
    describeOAuth,
    discoveries,
    oauth,
    pendingConsents,
    vault,
  }: ConnectedAccountsParts,
) {
  const tokenWriter = createTokenWriter({ storage, commit, vault, spool, cache, jitter });
  const revoke = createRevoke({ connectors, describeOAuth, vault, oauth, wait });
  const removeAccount = createRemoveAccount({
    storage,
    endSubscriptions,
    revoke,
    pendingConsents,
    commit,
    lock,
    cache,
  });
  const revokeAccount = createRevokeAccount({
    storage,
    endSubscriptions,
    revoke,
    pendingConsents,
    tokenWriter,
    commit,
    lock,
    cache,
    now,
  });
  const backoff = createBackoff({ now, jitter });
  const marks = createConnectionMarks({ commit, backoff });
  const requestTokens = createRequestTokens({ oauth, describeOAuth, confirmRefusal });
  const insertAccount = createInsertAccount({ commit, now, random });
  const importTokens = createImportTokens({
    storage,
    insertAccount,
    connectors,
    proveTokens: createProveTokens({
      connectors,
      verifyCredential,
      describeOAuth,
      requestTokens,
      marks,
      now,
    }),
    tokenWriter,
    marks,
    vault,
    digest,
    caller,
    commit,
    lock,
    cache,
  });
  const trySecrets = createTrySecrets({ connectors, verifyCredential });
  const accounts = createAccounts({
    storage,
    connectors,
    trySecrets,
    setSecrets: createSetSecrets({ vault, commit, cache, now }),
    importTokens,
    insertAccount,
    removeAccount,
    revokeAccount,
    caller,
    commit,
    now,
  });
  const connections = createConnections({
    storage,
    connectors,
    toConnectionColumns: createToConnectionColumns({ vault, isAllowedOrigin, tools }),
    removeAccount,
    commit,
    cache,
    connectionNames,
    environmentUrl,
    now,
    random,
  });
  const intents = createOpenIntents({ graceMs: lock.graceMs, now });
  const refresh = createRefresh({
    storage,
    marks,
    backoff,
    intents,
    vault,
    tokenWriter,
    lock,
    describeOAuth,
    now,
    onRefresh,
    requestTokens,
    handleRefreshFailure: createHandleRefreshFailure({
      storage,
      commit,
      backoff,
      intents,
      marks,
      cache,
      now,
    }),
  });
  const endAccess = createEndAccess({ storage, commit, connectors, cache, now });
  return {
    trySecrets,
    accounts,
    connections,
    credentials: createCredentials({ storage, connectors, vault, refresh, endAccess, cache, now, jitter }),
    handleChallenge: createHandleChallenge({ storage, endAccess, connectors, discoveries, cache, now }),
    tokenWriter,
    resolve: createResolve({ storage, connectors, cache }),
    revokeAccounts: createRevokeAccounts({ storage, revokeAccount }),
  };
}

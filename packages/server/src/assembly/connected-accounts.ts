import type { PendingConsents } from '../authorization/pending-consents.js';
import type { AccountCache } from '../connections/account-cache.js';
import { createSetSecrets } from '../connections/account-secrets.js';
import { createAccounts } from '../connections/accounts.js';
import { type Backoff, createBackoff } from '../connections/backoff.js';
import { type ConnectionMarks, createConnectionMarks } from '../connections/connection-marks.js';
import type { ConnectionNames } from '../connections/connection-names.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import { createToConnectionColumns } from '../connections/connection-settings.js';
import { createConnections } from '../connections/connections.js';
import { createCredentials } from '../connections/credentials.js';
import { createDemandScopes } from '../connections/demand-scopes.js';
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
import { createRequestTokens, type RequestTokens } from '../connections/request-tokens.js';
import { createResolve } from '../connections/resolve.js';
import { createRevoke } from '../connections/revoke.js';
import { createRevokeAccount } from '../connections/revoke-account.js';
import { createRevokeAccounts } from '../connections/revoke-accounts.js';
import { createTokenWriter, type TokenWriter } from '../connections/token-writer.js';
import type { ConfirmRefusal } from '../connections/try-client.js';
import { createTrySecrets } from '../connections/try-secrets.js';
import type { OAuth } from '../oauth/oauth.js';
import type { Commit } from '../records/commit.js';
import type { Vault } from '../vault/vault.js';
import type { CoreParts } from './core-parts.js';

export interface ConnectedAccountsParts {
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

interface TokenParts {
  readonly tokenWriter: TokenWriter;
  readonly marks: ConnectionMarks;
  readonly backoff: Backoff;
  readonly requestTokens: RequestTokens;
}

/** Creates the components that refresh the tokens of connected accounts. */
function createRefreshing(
  { connectors, jitter, lock, now, onRefresh, storage }: CoreParts,
  { cache, commit, describeOAuth, discoveries, vault }: ConnectedAccountsParts,
  { backoff, marks, requestTokens, tokenWriter }: TokenParts,
) {
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
    credentials: createCredentials({ storage, connectors, vault, refresh, endAccess, cache, now, jitter }),
    handleChallenge: createHandleChallenge({ storage, connectors, discoveries, cache, now }),
  };
}

/** Creates the components that remove connected accounts and revoke their access. */
function createRemoval(
  { connectors, endSubscriptions = async () => undefined, lock, now, storage, wait }: CoreParts,
  { cache, commit, describeOAuth, oauth, pendingConsents, vault }: ConnectedAccountsParts,
  tokenWriter: TokenWriter,
) {
  const revoke = createRevoke({ connectors, describeOAuth, vault, oauth, wait });
  const ending = { storage, endSubscriptions, revoke, pendingConsents, tokenWriter, commit, lock, cache };
  return {
    removeAccount: createRemoveAccount(ending),
    revokeAccount: createRevokeAccount({ ...ending, now }),
  };
}

/** Creates the components that store the secrets and the imported tokens of connected accounts. */
function createSecretsStore(
  { caller, connectors, digest, lock, now, random, storage, verifyCredential }: CoreParts,
  { cache, commit, describeOAuth, vault }: ConnectedAccountsParts,
  { marks, requestTokens, tokenWriter }: TokenParts,
) {
  const insertAccount = createInsertAccount({ commit, now, random });
  return {
    trySecrets: createTrySecrets({ connectors, verifyCredential }),
    setSecrets: createSetSecrets({ vault, commit, cache, now }),
    insertAccount,
    importTokens: createImportTokens({
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
    }),
  };
}

/**
 * Creates the components for connections, connected accounts and their credentials, including refresh, revocation and
 * deletion.
 */
export function createConnectedAccounts(parts: CoreParts, shared: ConnectedAccountsParts) {
  const { caller, connectors, environmentUrl, isAllowedOrigin, jitter, now, random, spool, storage, tools } =
    parts;
  const { cache, commit, confirmRefusal, connectionNames, describeOAuth, oauth, vault } = shared;
  const tokenWriter = createTokenWriter({ storage, commit, vault, spool, cache, jitter });
  const backoff = createBackoff({ now, jitter });
  const marks = createConnectionMarks({ commit, backoff });
  const requestTokens = createRequestTokens({ oauth, describeOAuth, confirmRefusal });
  const tokens = { tokenWriter, marks, backoff, requestTokens };
  const { credentials, handleChallenge } = createRefreshing(parts, shared, tokens);
  const { removeAccount, revokeAccount } = createRemoval(parts, shared, tokenWriter);
  const { importTokens, insertAccount, setSecrets, trySecrets } = createSecretsStore(parts, shared, tokens);
  return {
    trySecrets,
    accounts: createAccounts({
      storage,
      connectors,
      trySecrets,
      setSecrets,
      importTokens,
      insertAccount,
      removeAccount,
      revokeAccount,
      caller,
      commit,
      now,
    }),
    connections: createConnections({
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
    }),
    credentials,
    demandScopes: createDemandScopes({ storage, connectors }),
    handleChallenge,
    tokenWriter,
    resolve: createResolve({ storage, connectors, cache }),
    revokeAccounts: createRevokeAccounts({ storage, revokeAccount }),
  };
}

export type ConnectedAccounts = ReturnType<typeof createConnectedAccounts>;

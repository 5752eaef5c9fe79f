import { createApplications } from '../applications/applications.js';
import { createOrigins } from '../applications/origins.js';
import { createRemoveApplication } from '../applications/remove-application.js';
import { createSignIn } from '../applications/sign-in.js';
import { createPartiesLookup } from '../authorization/account-parties.js';
import { createConsumeFlow } from '../authorization/authorization-flow.js';
import { createAuthorizationLinks } from '../authorization/authorization-links.js';
import { createAuthorize } from '../authorization/authorize.js';
import { createBeginConsent } from '../authorization/begin-consent.js';
import { createCheckConnection } from '../authorization/check-connection.js';
import { createClientMetadata } from '../authorization/client-metadata.js';
import { createClientRegistrations } from '../authorization/client-registrations.js';
import { createCompleteConsent } from '../authorization/complete-consent.js';
import { createDiscardTokens } from '../authorization/discard-tokens.js';
import { createDescribeDiscovered } from '../authorization/discovered-oauth.js';
import { createExchangeCode } from '../authorization/exchange-code.js';
import { createFindClient } from '../authorization/find-client.js';
import { createPendingConsents } from '../authorization/pending-consents.js';
import { createRefuseConsent } from '../authorization/refuse-consent.js';
import { createSaveTokens } from '../authorization/save-tokens.js';
import { createVerifyConsent } from '../authorization/verify-consent.js';
import type { CurrentCaller } from '../caller.js';
import { createAccountCache } from '../connections/account-cache.js';
import { createSetSecrets } from '../connections/account-secrets.js';
import { createAccounts } from '../connections/accounts.js';
import type { KnownTools } from '../connections/approval-policy.js';
import { createBackoff } from '../connections/backoff.js';
import { createConnectionNames } from '../connections/connection-names.js';
import { createDescribeOAuth } from '../connections/connection-oauth.js';
import { createToConnectionColumns } from '../connections/connection-settings.js';
import { createConnections } from '../connections/connections.js';
import type { Connectors } from '../connections/connector.js';
import { createCredentials } from '../connections/credentials.js';
import { createDiscoveries } from '../connections/discoveries.js';
import { createProblemOf } from '../connections/endpoint-url.js';
import { createHandleChallenge } from '../connections/handle-challenge.js';
import { createKeepTokens } from '../connections/keep-tokens.js';
import { createOpenIntents } from '../connections/open-intents.js';
import { createRefresh } from '../connections/refresh.js';
import { createHandleRefreshFailure } from '../connections/refresh-failure.js';
import { createRemoveAccount } from '../connections/remove-account.js';
import { createRequestTokens } from '../connections/request-tokens.js';
import { createResolve } from '../connections/resolve.js';
import { createRevoke } from '../connections/revoke.js';
import { createRevokeAccount } from '../connections/revoke-account.js';
import { createRevokeAccounts } from '../connections/revoke-accounts.js';
import { createConfirmRefusal, createTryClient } from '../connections/try-client.js';
import type { Fetch } from '../http/fetch.js';
import { createSignInLimits } from '../limits/sign-in-limits.js';
import { createSignInRefusals } from '../limits/sign-in-refusals.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { createDiscover } from '../oauth/discover.js';
import { createOAuth } from '../oauth/oauth.js';
import { createRegisterClient } from '../oauth/register-client.js';
import type { Random } from '../random.js';
import { createAuditLog } from '../records/audit-log.js';
import { createCommit, type OnChange } from '../records/commit.js';
import type { Lock } from '../storage/lock.js';
import type { Spool } from '../storage/spool.js';
import type { Storage } from '../storage/storage.js';
import { createNarrowedTokens } from '../tokens/narrowed-tokens.js';
import { createTokenUses } from '../tokens/token-uses.js';
import { createKeys } from '../vault/keys.js';
import type { Digest } from '../vault/pepper.js';
import type { RootKeys } from '../vault/root-keys.js';
import { createVault, type Vault } from '../vault/vault.js';
import { createOperatorAccess } from './operator-access.js';

export interface AuthorizationParts {
  readonly storage: Storage;
  readonly lock: Lock;
  readonly innerLock: Lock;
  /** For new tokens that the database does not take. */
  readonly spool: Spool;
  readonly caller: CurrentCaller;
  readonly onChange?: OnChange | undefined;
  readonly rootKeys: RootKeys;
  readonly digest: Digest;
  readonly connectors: Connectors;
  readonly tools: KnownTools;
  /** To authorization servers. */
  readonly fetch: Fetch;
  /** What users' browsers see, without a slash at the end. */
  readonly environmentUrl: string;
  /** Of a client metadata document that the operator publishes. */
  readonly clientMetadataUrl?: string | undefined;
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly now: () => number;
  /** How long what was read of an account is used; see AccountCacheParts. */
  readonly accountsKeptMs?: number | undefined;
  readonly random: Random;
  /** A number from 0 up to 1. */
  readonly jitter: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** What has to do with authorization servers that are discovered. */
function createDiscovery(given: AuthorizationParts, vault: Vault) {
  const { connectors, fetch, isAllowedOrigin, now } = given;
  const discover = createDiscover({
    fetch,
    problemOf: createProblemOf(isAllowedOrigin),
  });
  const discoveries = createDiscoveries({ discover, now });
  const clientMetadata = createClientMetadata(given);
  const clientRegistrations = createClientRegistrations({
    ...given,
    // A refresh that has to register first holds its account meanwhile.
    lock: given.innerLock,
    vault,
    registerClient: createRegisterClient({ fetch }),
  });
  const findClient = createFindClient({ ...given, vault, clientMetadata, clientRegistrations });
  const describeDiscovered = createDescribeDiscovered({ ...given, discoveries, findClient });
  return {
    clientMetadata,
    discoveries,
    describeOAuth: createDescribeOAuth({ connectors, vault, describeDiscovered }),
  };
}

function createBase(given: AuthorizationParts) {
  const commit = createCommit(given);
  const vault = createVault({ ...given, commit });
  const oauth = createOAuth(given);
  const tryClient = createTryClient({ ...given, oauth });
  return {
    ...given,
    vault,
    commit,
    oauth,
    tryClient,
    confirmRefusal: createConfirmRefusal(tryClient),
    ...createDiscovery(given, vault),
    parties: createPartiesLookup(given),
    cache: createAccountCache(given),
    connectionNames: createConnectionNames(given),
    backoff: createBackoff(given),
    signInRefusals: createSignInRefusals({ ...given, commit }),
  };
}

/** Parts of a consent, from the link to the verified account. */
function createConsents(base: ReturnType<typeof createBase>) {
  const refuseConsent = createRefuseConsent(base);
  const discardTokens = createDiscardTokens(base);
  return {
    ...base,
    refuseConsent,
    discardTokens,
    consumeFlow: createConsumeFlow({ ...base, refuseConsent }),
    exchangeCode: createExchangeCode(base),
    saveTokens: createSaveTokens(base),
    pendingConsents: createPendingConsents({ ...base, discardTokens }),
  };
}

/** Applications, connections, accounts and their credentials. */
export function createAuthorization(given: AuthorizationParts) {
  const base = createConsents(createBase(given));
  const keepTokens = createKeepTokens(base);
  const intents = createOpenIntents({ graceMs: given.lock.graceMs, now: given.now });
  const revoke = createRevoke(base);
  const removeAccount = createRemoveAccount({ ...base, revoke });
  const revokeAccount = createRevokeAccount({ ...base, keepTokens, revoke });
  const accounts = createAccounts({
    ...base,
    setSecrets: createSetSecrets(base),
    removeAccount,
    revokeAccount,
  });
  const origins = createOrigins(base);
  const narrowedTokens = createNarrowedTokens(base);
  const applications = createApplications({ ...base, origins, narrowedTokens });
  const toConnectionColumns = createToConnectionColumns(base);
  const connections = createConnections({ ...base, toConnectionColumns, removeAccount });
  const links = createAuthorizationLinks({ ...base, accounts });
  const refresh = createRefresh({
    ...base,
    keepTokens,
    intents,
    requestTokens: createRequestTokens(base),
    handleRefreshFailure: createHandleRefreshFailure({ ...base, intents }),
  });
  return {
    vault: base.vault,
    commit: base.commit,
    keepTokens,
    revokeAccounts: createRevokeAccounts({ ...base, revokeAccount }),
    keys: createKeys(base),
    accounts,
    connectionNames: base.connectionNames,
    links,
    applications,
    origins,
    narrowedTokens,
    tokenUses: createTokenUses(base),
    removeApplication: createRemoveApplication({ ...base, applications, connections }),
    connections,
    checkConnection: createCheckConnection(base),
    signIn: createSignIn({ applications, narrowedTokens, signInLimits: createSignInLimits(base) }),
    ...createOperatorAccess(base),
    signInRefusals: base.signInRefusals,
    auditLog: createAuditLog(base),
    authorize: createAuthorize({
      ...base,
      links,
      beginConsent: createBeginConsent({ ...base, links }),
      completeConsent: createCompleteConsent(base),
    }),
    describe: base.parties.ofId,
    verifyConsent: createVerifyConsent(base),
    expirePendingConsents: base.pendingConsents.expire,
    credentials: createCredentials({ ...base, refresh }),
    clientMetadata: base.clientMetadata,
    handleChallenge: createHandleChallenge(base),
    resolve: createResolve(base),
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;

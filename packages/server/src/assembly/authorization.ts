import { createPartiesLookup } from '../authorization/account-parties.js';
import { createAdministratorConsent } from '../authorization/administrator-consent.js';
import { createConsumeFlow } from '../authorization/authorization-flow.js';
import { createAuthorizationLinks } from '../authorization/authorization-links.js';
import { createAuthorize } from '../authorization/authorize.js';
import { createBeginConsent } from '../authorization/begin-consent.js';
import { createCheckConnection } from '../authorization/check-connection.js';
import { createCompleteConsent } from '../authorization/complete-consent.js';
import { createDiscardTokens } from '../authorization/discard-tokens.js';
import { createEnterKey } from '../authorization/enter-key.js';
import { createExchangeCode } from '../authorization/exchange-code.js';
import { createLinkResults } from '../authorization/link-results.js';
import { createPendingConsents } from '../authorization/pending-consents.js';
import { createRefuseConsent } from '../authorization/refuse-consent.js';
import { createSaveTokens } from '../authorization/save-tokens.js';
import { createStoreConsent } from '../authorization/store-consent.js';
import { createVerifyConsent } from '../authorization/verify-consent.js';
import { createAccountCache } from '../connections/account-cache.js';
import { createAccountList } from '../connections/account-list.js';
import { createConnectionNames } from '../connections/connection-names.js';
import { createNoteSuccess } from '../connections/note-success.js';
import { createConfirmRefusal, createTryClient } from '../connections/try-client.js';
import { createOAuth } from '../oauth/oauth.js';
import { createAuditLog } from '../records/audit-log.js';
import { createCommit } from '../records/commit.js';
import { createKeys } from '../vault/keys.js';
import { createVault } from '../vault/vault.js';
import type { AuthorizationParts } from './authorization-parts.js';
import { createConnectedAccounts } from './connected-accounts.js';
import { createDiscovery } from './discovery.js';
import { createIdentity } from './identity.js';

/**
 * Creates the components for access control: applications, operators, connections, connected accounts and their
 * credentials.
 */
export function createAuthorization(parts: AuthorizationParts) {
  const {
    accountCacheMs,
    caller,
    connectors,
    digest,
    environmentUrl,
    fetch,
    now,
    onChange,
    random,
    reporter,
    rootKeys,
    storage,
  } = parts;
  const commit = createCommit({ storage, caller, now, random, onChange, reporter });
  const vault = createVault({ storage, rootKeys, commit, now, random });
  const oauth = createOAuth({ fetch });
  const tryClient = createTryClient({ oauth, environmentUrl, random });
  const confirmRefusal = createConfirmRefusal(tryClient);
  const cache = createAccountCache({ now, accountCacheMs });
  const connectionNames = createConnectionNames({ storage, now });
  const parties = createPartiesLookup({ storage, connectors });
  const { clientMetadata, discoveries, describeOAuth } = createDiscovery(parts, vault);

  const refuseConsent = createRefuseConsent({ commit, now });
  const discardTokens = createDiscardTokens({ storage, describeOAuth, oauth });
  const pendingConsents = createPendingConsents({
    storage,
    parties,
    discardTokens,
    commit,
    vault,
    digest,
    now,
    random,
  });
  const saveTokens = createSaveTokens({ storage, parties, vault, commit, cache, now });
  const {
    accounts,
    connections,
    credentials,
    handleChallenge,
    tokenWriter,
    resolve,
    revokeAccounts,
    trySecrets,
  } = createConnectedAccounts(parts, {
    cache,
    commit,
    confirmRefusal,
    connectionNames,
    describeOAuth,
    discoveries,
    oauth,
    pendingConsents,
    vault,
  });
  const identity = createIdentity(parts, { commit, connections });
  const administratorConsent = createAdministratorConsent({
    storage,
    connectors,
    describeOAuth,
    environmentUrl,
  });
  const results = createLinkResults({
    storage,
    parties,
    administratorConsent,
    digest,
    environmentUrl,
    now,
  });
  const links = createAuthorizationLinks({
    storage,
    parties,
    connectors,
    describeOAuth,
    accounts,
    refuseConsent,
    results,
    digest,
    environmentUrl,
    now,
    random,
  });
  const consumeFlow = createConsumeFlow({
    storage,
    parties,
    administratorConsent,
    refuseConsent,
    digest,
    now,
  });
  const storeConsent = createStoreConsent({ storage, pendingConsents, saveTokens, results, now });
  const authorize = createAuthorize({
    storage,
    links,
    results,
    now,
    enterKey: createEnterKey({ connectors, links, results, trySecrets, storeConsent, now }),
    beginConsent: createBeginConsent({
      storage,
      links,
      results,
      describeOAuth,
      vault,
      digest,
      environmentUrl,
      now,
      random,
    }),
    completeConsent: createCompleteConsent({
      storage,
      parties,
      administratorConsent,
      consumeFlow,
      exchangeCode: createExchangeCode({
        storage,
        describeOAuth,
        confirmRefusal,
        commit,
        oauth,
        vault,
        environmentUrl,
        now,
      }),
      refuseConsent,
      storeConsent,
      discardTokens,
      results,
      now,
    }),
  });

  return {
    ...identity,
    vault,
    commit,
    keys: createKeys({ storage, rootKeys, vault, commit, now }),
    auditLog: createAuditLog({ storage }),
    accounts,
    accountList: createAccountList({ storage }),
    connections,
    connectionNames,
    credentials,
    handleChallenge,
    noteSuccess: createNoteSuccess({ storage, cache }),
    tokenWriter,
    resolve,
    revokeAccounts,
    checkConnection: createCheckConnection({
      storage,
      connectors,
      commit,
      fetch,
      discoveries,
      describeOAuth,
      tryClient,
      now,
    }),
    clientMetadata,
    links,
    authorize,
    describe: parties.ofId,
    verifyConsent: createVerifyConsent({
      storage,
      pendingConsents,
      saveTokens,
      commit,
      digest,
      environmentUrl,
      now,
    }),
    expirePendingConsents: pendingConsents.expire,
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;

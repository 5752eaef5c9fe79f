import { createPartiesLookup } from '../authorization/account-parties.js';
import { createCheckConnection } from '../authorization/check-connection.js';
import { createDiscardTokens } from '../authorization/discard-tokens.js';
import { createPendingConsents } from '../authorization/pending-consents.js';
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
import { createConnectedAccounts } from './connected-accounts.js';
import { createConsents } from './consents.js';
import type { CoreParts } from './core-parts.js';
import { createDiscovery } from './discovery.js';
import { createIdentity } from './identity.js';

/** Creates the components that both connected accounts and consents use. */
function createShared(parts: CoreParts) {
  const { accountCacheMs, caller, connectors, digest, environmentUrl, fetch, now, onChange } = parts;
  const { random, reporter, rootKeys, storage } = parts;
  const commit = createCommit({ storage, caller, now, random, onChange, reporter });
  const vault = createVault({ storage, rootKeys, commit, now, random });
  const oauth = createOAuth({ fetch });
  const tryClient = createTryClient({ oauth, environmentUrl, random });
  const parties = createPartiesLookup({ storage, connectors });
  const { clientMetadata, discoveries, describeOAuth } = createDiscovery(parts, vault);
  const discardTokens = createDiscardTokens({ storage, describeOAuth, oauth });
  return {
    cache: createAccountCache({ now, accountCacheMs }),
    clientMetadata,
    commit,
    confirmRefusal: createConfirmRefusal(tryClient),
    connectionNames: createConnectionNames({ storage, connectors, now }),
    describeOAuth,
    discardTokens,
    discoveries,
    oauth,
    parties,
    pendingConsents: createPendingConsents({
      storage,
      parties,
      discardTokens,
      commit,
      vault,
      digest,
      now,
      random,
    }),
    tryClient,
    vault,
  };
}

/**
 * Creates the core of the service, which commands of the CLI use too: applications, operators, connections, connected
 * accounts and their credentials, the vault and the audit log.
 */
export function createCore(parts: CoreParts) {
  const { connectors, environmentUrl, fetch, now, rootKeys, storage } = parts;
  const shared = createShared(parts);
  const { clientMetadata, commit, connectionNames, describeOAuth, discoveries, tryClient, vault } = shared;
  const connected = createConnectedAccounts(parts, shared);
  return {
    ...createIdentity(parts, { commit, connections: connected.connections }),
    ...connected,
    ...createConsents(parts, shared, connected),
    vault,
    commit,
    keys: createKeys({ storage, rootKeys, vault, commit, now }),
    auditLog: createAuditLog({ storage }),
    accountList: createAccountList({ storage }),
    connectionNames,
    noteSuccess: createNoteSuccess({ storage, cache: shared.cache }),
    checkConnection: createCheckConnection({
      storage,
      connectors,
      commit,
      fetch,
      discoveries,
      describeOAuth,
      tryClient,
      environmentUrl,
      now,
    }),
    clientMetadata,
    describe: shared.parties.ofId,
    expirePendingConsents: shared.pendingConsents.expire,
  };
}

export type Core = ReturnType<typeof createCore>;

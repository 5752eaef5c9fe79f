import { approvalOfFlow } from '../authorization/approval.js';
import { createAuthorizationLinks } from '../authorization/authorization-links.js';
import { createAuthorize } from '../authorization/authorize.js';
import { createCheckConnection } from '../authorization/check-connection.js';
import { createConsumeFlow } from '../authorization/consume-flow.js';
import { createDiscardTokens } from '../authorization/discard-tokens.js';
import { createPendingApprovals } from '../authorization/pending-approvals.js';
import { createRefuseApproval } from '../authorization/refuse-approval.js';
import { createSaveTokens } from '../authorization/save-tokens.js';
import { createVerifyApproval } from '../authorization/verify-approval.js';
import { createAccountCache } from '../connections/account-cache.js';
import { createConnectionNames } from '../connections/connection-names.js';
import { createOAuth } from '../oauth/oauth.js';
import { createAuditLog } from '../records/audit-log.js';
import { createCommit } from '../records/commit.js';
import { createKeys } from '../vault/keys.js';
import { createVault } from '../vault/vault.js';
import type { AuthorizationParts } from './authorization-parts.js';
import { createConnectedAccounts } from './connected-accounts.js';
import { createDiscovery } from './discovery.js';
import { createIdentity } from './identity.js';

/** Builds everything that decides who may use what: applications, operators, connections, accounts and their credentials. */
export function createAuthorization(parts: AuthorizationParts) {
  const {
    accountsKeptMs,
    caller,
    connectors,
    digest,
    environmentUrl,
    fetch,
    now,
    onChange,
    random,
    rootKeys,
    storage,
  } = parts;
  const commit = createCommit({ storage, caller, now, random, onChange });
  const vault = createVault({ storage, rootKeys, commit, now, random });
  const oauth = createOAuth({ fetch });
  const cache = createAccountCache({ now, accountsKeptMs });
  const connectionNames = createConnectionNames({ storage, now });
  const { clientMetadata, discoveries, describeOAuth } = createDiscovery(parts, vault);

  const refuseApproval = createRefuseApproval({ commit, now });
  const discardTokens = createDiscardTokens({ storage, describeOAuth, oauth });
  const pendingApprovals = createPendingApprovals({
    storage,
    connectors,
    discardTokens,
    commit,
    vault,
    digest,
    now,
    random,
  });
  const saveTokens = createSaveTokens({ storage, connectors, vault, commit, cache, now });
  const { accounts, connections, credentials, hearChallenge, keepTokens, resolve, revokeAccounts } =
    createConnectedAccounts(parts, {
      cache,
      commit,
      connectionNames,
      describeOAuth,
      discoveries,
      oauth,
      pendingApprovals,
      vault,
    });
  const identity = createIdentity(parts, { commit, connections });
  const links = createAuthorizationLinks({
    storage,
    connectors,
    describeOAuth,
    accounts,
    refuseApproval,
    digest,
    environmentUrl,
    now,
    random,
  });
  const authorize = createAuthorize({
    storage,
    connectors,
    links,
    describeOAuth,
    consumeFlow: createConsumeFlow({ storage, connectors, refuseApproval, digest, now }),
    refuseApproval,
    pendingApprovals,
    saveTokens,
    discardTokens,
    commit,
    oauth,
    vault,
    digest,
    environmentUrl,
    now,
    random,
  });

  return {
    ...identity,
    vault,
    commit,
    keys: createKeys({ storage, rootKeys, vault, commit, now }),
    auditLog: createAuditLog({ storage }),
    accounts,
    connections,
    connectionNames,
    credentials,
    hearChallenge,
    keepTokens,
    resolve,
    revokeAccounts,
    checkConnection: createCheckConnection({
      storage,
      connectors,
      commit,
      fetch,
      discoveries,
      describeOAuth,
      oauth,
      environmentUrl,
      random,
    }),
    clientMetadata,
    links,
    authorize,
    describe: (flow: Parameters<typeof approvalOfFlow>[1]) => approvalOfFlow({ storage, connectors }, flow),
    verifyApproval: createVerifyApproval({
      storage,
      pendingApprovals,
      saveTokens,
      commit,
      digest,
      environmentUrl,
    }),
    expireApprovals: pendingApprovals.expire,
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;

import type { Catalog } from '@svc/catalog';
import type { ConnectionNames } from '../connections/connection-names.js';
import { createAgentAccesses } from '../grants/agent-access.js';
import { createAgentClients } from '../grants/agent-clients.js';
import { createAgentGrants } from '../grants/agent-grants.js';
import { createAgentSignIns } from '../grants/agent-sign-ins.js';
import { createBeginSignIn } from '../grants/begin-sign-in.js';
import { createExchangeToken } from '../grants/exchange-token.js';
import { createFindAgentClient } from '../grants/find-agent-client.js';
import { createDescribeGrantRequest } from '../grants/grant-request.js';
import { createGrantedList } from '../grants/granted-list.js';
import { createOpenId } from '../grants/open-id.js';
import { createRegistrations } from '../grants/registrations.js';
import type { Fetch } from '../http/fetch.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import type { Commit } from '../records/commit.js';
import type { Storage } from '../storage/storage.js';
import type { Random } from '../text/random.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';

export interface GrantsParts {
  readonly storage: Storage;
  readonly catalog: Catalog;
  readonly connectionNames: ConnectionNames;
  readonly narrowedTokens: NarrowedTokens;
  readonly commit: Commit;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly fetch: Fetch;
  readonly isAllowedOrigin: IsAllowedOrigin;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

/** Creates the components with which users grant MCP clients access: sign-in, client registration and tokens. */
export function createGrants(parts: GrantsParts) {
  const { storage, catalog, connectionNames, narrowedTokens, commit, vault } = parts;
  const { digest, fetch, isAllowedOrigin, environmentUrl, now, random } = parts;
  const agentAccesses = createAgentAccesses({ storage, commit, vault, now });
  const agentClients = createAgentClients({ storage, commit, narrowedTokens, now, random });
  const agentGrants = createAgentGrants({
    storage,
    agentAccesses,
    narrowedTokens,
    commit,
    digest,
    now,
    random,
  });
  const registrations = createRegistrations({ agentAccesses, digest, now });
  const openId = createOpenId({ fetch, isAllowedOrigin, digest, environmentUrl, now });
  return {
    agentAccesses,
    agentClients,
    agentGrants,
    registrations,
    exchangeToken: createExchangeToken({ storage, agentAccesses, narrowedTokens, now }),
    agentSignIns: createAgentSignIns({
      storage,
      agentAccesses,
      openId,
      beginSignIn: createBeginSignIn({
        storage,
        agentAccesses,
        openId,
        findAgentClient: createFindAgentClient({ agentClients, registrations, fetch, isAllowedOrigin }),
        catalog,
        environmentUrl,
        digest,
        now,
        random,
      }),
      describeGrantRequest: createDescribeGrantRequest({
        storage,
        catalog,
        connectionNames,
        environmentUrl,
        now,
      }),
      commit,
      digest,
      environmentUrl,
      now,
      random,
    }),
    grantedList: createGrantedList({ storage, agentGrants }),
  };
}

export type Grants = ReturnType<typeof createGrants>;

import { randomBytes as random } from 'node:crypto';
import { type AgentAccesses, createAgentAccesses } from '../grants/agent-access.js';
import { type AgentClients, createAgentClients } from '../grants/agent-clients.js';
import { createAgentGrants } from '../grants/agent-grants.js';
import { createAgentSignIns } from '../grants/agent-sign-ins.js';
import { createBeginSignIn } from '../grants/begin-sign-in.js';
import { createExchangeToken } from '../grants/exchange-token.js';
import { createFindAgentClient } from '../grants/find-agent-client.js';
import { createDescribeGrantRequest } from '../grants/grant-request.js';
import { createGrantedList } from '../grants/granted-list.js';
import { createOpenId } from '../grants/open-id.js';
import { createRegistrations, type Registrations } from '../grants/registrations.js';
import type { Parts } from './parts.js';

interface SignInsParts {
  readonly agentAccesses: AgentAccesses;
  readonly agentClients: AgentClients;
  readonly registrations: Registrations;
}

/** Creates the components by which users sign in at MCP clients. */
function createSignIns(
  { core, catalog, digest, fetch, isAllowedOrigin, now, storage }: Parts,
  environmentUrl: string,
  { agentAccesses, agentClients, registrations }: SignInsParts,
) {
  const openId = createOpenId({ fetch, isAllowedOrigin, digest, environmentUrl, now });
  const beginSignIn = createBeginSignIn({
    storage,
    agentAccesses,
    openId,
    findAgentClient: createFindAgentClient({ agentClients, registrations, fetch, isAllowedOrigin }),
    catalog,
    environmentUrl,
    digest,
    now,
    random,
  });
  return createAgentSignIns({
    storage,
    agentAccesses,
    openId,
    beginSignIn,
    describeGrantRequest: createDescribeGrantRequest({
      storage,
      catalog,
      connectionNames: core.connectionNames,
      environmentUrl,
      now,
    }),
    commit: core.commit,
    digest,
    environmentUrl,
    now,
    random,
  });
}

/** Creates the components by which users grant MCP clients access: sign-in, client registration and tokens. */
export function createGrants(parts: Parts, environmentUrl: string) {
  const { core, digest, now, storage } = parts;
  const { commit, narrowedTokens, vault } = core;
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
  return {
    agentAccesses,
    agentClients,
    agentGrants,
    registrations,
    exchangeToken: createExchangeToken({ storage, agentAccesses, narrowedTokens, now }),
    agentSignIns: createSignIns(parts, environmentUrl, { agentAccesses, agentClients, registrations }),
    grantedList: createGrantedList({ storage, agentGrants }),
  };
}

export type Grants = ReturnType<typeof createGrants>;

import { type AgentAccessesParts, createAgentAccesses } from './agent-access.js';
import { type AgentClientsParts, createAgentClients } from './agent-clients.js';
import { type AgentGrantsParts, createAgentGrants } from './agent-grants.js';
import { type AgentSignInsParts, createAgentSignIns } from './agent-sign-ins.js';
import { createExchangeToken, type ExchangeTokenParts } from './exchange-token.js';
import { createFindClient } from './find-client.js';
import { createGrantedList } from './granted-list.js';
import { createOpenId, type OpenIdParts } from './open-id.js';
import { createRegistrations } from './registrations.js';

export type GrantsParts = Omit<
  AgentSignInsParts &
    AgentGrantsParts &
    OpenIdParts &
    AgentAccessesParts &
    AgentClientsParts &
    ExchangeTokenParts,
  'agentAccesses' | 'findClient' | 'openId'
>;

/** Everything that has to do with what users of an application give MCP clients. */
export function createGrants(parts: GrantsParts) {
  const agentAccesses = createAgentAccesses(parts);
  const agentClients = createAgentClients(parts);
  const agentGrants = createAgentGrants({ ...parts, agentAccesses });
  const registrations = createRegistrations({ ...parts, agentAccesses });
  const findClient = createFindClient({ ...parts, agentClients, registrations });
  return {
    agentAccesses,
    agentClients,
    agentGrants,
    registrations,
    exchangeToken: createExchangeToken({ ...parts, agentAccesses }),
    agentSignIns: createAgentSignIns({ ...parts, agentAccesses, findClient, openId: createOpenId(parts) }),
    grantedList: createGrantedList({ ...parts, agentGrants }),
  };
}

export type Grants = ReturnType<typeof createGrants>;

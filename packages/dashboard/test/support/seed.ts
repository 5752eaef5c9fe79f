import { addEndpoint, attemptedDelivery } from './add-endpoint.ts';
import type { Subjects } from './addresses.ts';
import { giveAccess } from './give-access.ts';
import { openAgents } from './open-agents.ts';
import type { Operator } from './operator.ts';

const KEY = { apiKey: 'sandbox-key' };
const CONNECTION = 'network';
const TOOL = 'network_geo_search';
/** A tool that needs approval. */
const APPROVED_TOOL = 'network_ad_get';

/** Makes a call that needs approval, and returns the ID of the approval. */
async function requestApproval(
  { call }: Operator,
  below: string,
  connectedAccountId: string,
): Promise<string> {
  await call('PATCH', `${below}/connections/${CONNECTION}`, {
    approve: { default: 'never', tools: { [APPROVED_TOOL]: 'always' } },
  });
  const execution = call('POST', `${below}/tools/${APPROVED_TOOL}/execute`, {
    connectedAccountId,
    toolInput: { ad_id: '42' },
  });
  await execution.catch(() => undefined);
  const { items } = await call<{ items: readonly { id: string }[] }>('GET', `${below}/approvals`);
  return items[0]?.id ?? '';
}

/** Adds an MCP client and grants it access. */
async function addAgent(operator: Operator, url: string, applicationId: string): Promise<void> {
  const secrets = `/applications/${applicationId}/client-secrets`;
  const { id, clientSecret } = await operator.call<{ id: string; clientSecret: string }>('POST', secrets);
  const agents = await openAgents(operator, { url, applicationId, clientSecret }, 'Desk helper');
  await giveAccess(agents, { clientId: agents.clientId, identifier: 'ada@example.com' });
  await operator.call('DELETE', `${secrets}/${id}`);
}

interface Addresses {
  /** Base URL of the service. */
  readonly url: string;
  /** Origin of a server that receives webhooks. */
  readonly receiver: string;
}

/** Creates an endpoint, an account, a tool call, a grant and an approval, so that every page has data. */
export async function seed(operator: Operator, { url, receiver }: Addresses): Promise<Subjects> {
  const { call } = operator;
  const { items } = await call<{ items: readonly { id: string }[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const below = `/applications/${applicationId}`;
  const accounts = `${below}/connections/${CONNECTION}/accounts`;
  const endpointId = await addEndpoint(operator, applicationId, { url: `${receiver}/503` });
  const { id } = await call<{ id: string }>('PUT', `${accounts}/ada@example.com`, KEY);
  const { executionId } = await call<{ executionId: string }>('POST', `${below}/tools/${TOOL}/execute`, {
    connectedAccountId: id,
    toolInput: { search: 'Berlin' },
  });
  await addAgent(operator, url, applicationId);
  const delivery = await attemptedDelivery(operator, applicationId, endpointId);
  return {
    applicationId,
    connectionName: CONNECTION,
    accountId: id,
    identifier: 'ada@example.com',
    toolName: TOOL,
    executionId,
    endpointId,
    deliveryId: delivery.id,
    eventId: delivery.eventId,
    approvalId: await requestApproval(operator, below, id),
  };
}

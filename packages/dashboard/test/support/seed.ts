import type { Subjects } from './addresses.ts';
import { giveAccess } from './give-access.ts';
import { openAgents } from './open-agents.ts';
import type { Operator } from './operator.ts';

const KEY = { apiKey: 'sandbox-key' };
const CONNECTION = 'network';
const TOOL = 'network_geo_search';
/** A person is asked before it runs. */
const ASKED = 'network_ad_get';

/** A call that waits for a person. */
async function ask({ call }: Operator, below: string, connectedAccountId: string): Promise<string> {
  await call('PATCH', `${below}/connections/${CONNECTION}`, {
    approve: { default: 'never', tools: { [ASKED]: 'always' } },
  });
  const asked = call('POST', `${below}/tools/${ASKED}/execute`, {
    connectedAccountId,
    toolInput: { ad_id: '42' },
  });
  await asked.catch(() => undefined);
  const { items } = await call<{ items: readonly { id: string }[] }>('GET', `${below}/approvals`);
  return items[0]?.id ?? '';
}

/** A client that a user has given access. */
async function admitAgent(operator: Operator, url: string, applicationId: string): Promise<void> {
  const secrets = `/applications/${applicationId}/client-secrets`;
  const { id, clientSecret } = await operator.call<{ id: string; clientSecret: string }>('POST', secrets);
  const agents = await openAgents(operator, { url, applicationId, clientSecret }, 'Desk helper');
  await giveAccess(agents, { clientId: agents.clientId, identifier: 'ada@example.com' });
  await operator.call('DELETE', `${secrets}/${id}`);
}

/** Connects an account by a key and calls a tool as it, so that every page has something to be about. */
export async function seed(operator: Operator, url: string): Promise<Subjects> {
  const { call } = operator;
  const { items } = await call<{ items: readonly { id: string }[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const below = `/applications/${applicationId}`;
  const accounts = `${below}/connections/${CONNECTION}/accounts`;
  const { id } = await call<{ id: string }>('PUT', `${accounts}/ada@example.com`, KEY);
  const { executionId } = await call<{ executionId: string }>('POST', `${below}/tools/${TOOL}/execute`, {
    connectedAccountId: id,
    toolInput: { search: 'Berlin' },
  });
  await admitAgent(operator, url, applicationId);
  return {
    applicationId,
    connectionName: CONNECTION,
    accountId: id,
    identifier: 'ada@example.com',
    toolName: TOOL,
    executionId,
    approvalId: await ask(operator, below, id),
  };
}

import type { Subjects } from './addresses.ts';
import type { Operator } from './operator.ts';

const KEY = { apiKey: 'sandbox-key' };
const CONNECTION = 'network';
const TOOL = 'network_geo_search';

/** Connects an account by a key and calls a tool as it, so that every page has something to be about. */
export async function seed({ call }: Operator): Promise<Subjects> {
  const { items } = await call<{ items: readonly { id: string }[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const below = `/applications/${applicationId}`;
  const accounts = `${below}/connections/${CONNECTION}/accounts`;
  const { id } = await call<{ id: string }>('PUT', `${accounts}/ada@example.com`, KEY);
  const { executionId } = await call<{ executionId: string }>('POST', `${below}/tools/${TOOL}/execute`, {
    connectedAccountId: id,
    toolInput: { search: 'Berlin' },
  });
  return {
    applicationId,
    connectionName: CONNECTION,
    accountId: id,
    identifier: 'ada@example.com',
    toolName: TOOL,
    executionId,
  };
}

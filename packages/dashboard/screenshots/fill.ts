import { createClient } from '@svc/core';
import { approve } from '@svc/sandbox';
import { addEndpoint, attemptedDelivery } from '../test/support/add-endpoint.ts';
import { giveAccess, REDIRECT_URI, type SigningApplication } from '../test/support/give-access.ts';
import type { Operator } from '../test/support/operator.ts';

interface Identified {
  readonly id: string;
}

interface AccountRef {
  readonly connectionName: string;
  readonly identifier: string;
}

const BY_KEY: readonly (AccountRef & { readonly secrets: object })[] = [
  { connectionName: 'network', identifier: 'sales@acme.example', secrets: { apiKey: 'sandbox-network' } },
  { connectionName: 'network', identifier: 'research@acme.example', secrets: { apiKey: 'sandbox-network' } },
  {
    connectionName: 'scrapermcp',
    identifier: 'research@acme.example',
    secrets: { bearerToken: 'sandbox-scraper' },
  },
];
const BY_CONSENT: readonly (AccountRef & { readonly user: string })[] = [
  { connectionName: 'calendar', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'calendar', identifier: 'grace@acme.example', user: 'grace' },
  { connectionName: 'video', identifier: 'studio@acme.example', user: 'ada' },
  { connectionName: 'workspace', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'filesite', identifier: 'office@acme.example', user: 'ada' },
  { connectionName: 'notesmcp', identifier: 'grace@acme.example', user: 'grace' },
];
const INVITED: readonly AccountRef[] = [
  { connectionName: 'calendar', identifier: 'kim@acme.example' },
  { connectionName: 'video', identifier: 'events@acme.example' },
];

const pathOf = ({ connectionName, identifier }: AccountRef) =>
  `/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}`;

/** Creates agent tokens and a browser token for users of the application. */
async function createTokens({ url, applicationId, clientSecret }: SigningApplication): Promise<void> {
  const svc = createClient({ environmentUrl: url, clientId: applicationId, clientSecret });
  await svc.agentToken({
    identifier: 'ada@acme.example',
    connections: ['calendar', 'workspace'],
    tools: ['calendar_list_events', 'calendar_create_event', 'workspace_pages_search'],
    maxCalls: 100,
    expiresIn: 30 * 24 * 60 * 60,
  });
  await svc.agentToken({ identifier: 'grace@acme.example', readOnly: true, expiresIn: 60 * 60 });
  await svc.accountToken({ identifier: 'grace@acme.example', connections: ['calendar'] });
}

const CLIENTS: readonly { readonly name: string; readonly redirectUri: string }[] = [
  { name: 'Claude', redirectUri: 'https://claude.ai/api/mcp/auth_callback' },
  { name: 'Acme desk helper', redirectUri: 'http://127.0.0.1/callback' },
];

/** Adds two clients with grants, and a self-registered client whose grant is revoked. */
async function addAgents({ call }: Operator, of: SigningApplication): Promise<void> {
  const own = `/applications/${of.applicationId}`;
  await call('PUT', `${own}/agent-access`, {
    signInUrl: 'https://assistant.acme.example/agent-sign-in',
    registration: true,
    limits: { approve: 'destructive' },
  });
  const registered = await fetch(`${of.url}/agents/${of.applicationId}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Code editor', redirect_uris: [REDIRECT_URI] }),
  });
  const { client_id: editor } = (await registered.json()) as { readonly client_id: string };
  await giveAccess(of, { clientId: editor, identifier: 'kim@acme.example', connector: 'workspace' });
  const { items } = await call<{ items: readonly Identified[] }>('GET', `${own}/agent-grants`);
  await call('DELETE', `${own}/agent-grants/${items[0]?.id}`);
  for (const { name, redirectUri } of CLIENTS) {
    const body = { name, redirectUris: [redirectUri] };
    const { id: clientId } = await call<Identified>('POST', `${own}/agent-clients`, body);
    await giveAccess(of, { clientId, redirectUri, identifier: 'ada@acme.example' });
    const reading = { connector: 'calendar', scope: 'tools:read' };
    await giveAccess(of, { clientId, redirectUri, identifier: 'grace@acme.example', ...reading });
  }
}

/** Creates a denied and a pending approval, and returns the ID of the pending one. */
async function requestApprovals(
  { call }: Operator,
  own: string,
  connectedAccountId: string,
): Promise<string> {
  await call('PATCH', `${own}/connections/calendar`, { approve: { default: 'destructive', tools: {} } });
  const tool = (name: string) => `${own}/tools/calendar_${name}_event/execute`;
  const request = async (summary: string) => {
    const event = { summary, start_datetime: '2026-12-01T12:00:00Z', event_duration_minutes: 60 };
    const created = await call<{ data: Identified }>('POST', tool('create'), {
      connectedAccountId,
      toolInput: event,
    });
    const toolInput = { calendar_id: 'primary', event_id: created.data.id };
    await call('POST', tool('delete'), { connectedAccountId, toolInput }).catch(() => undefined);
    const { items } = await call<{ items: readonly Identified[] }>('GET', `${own}/approvals`);
    return items[0]?.id ?? '';
  };
  const denied = await request('Stand-up on Mondays');
  await call('POST', `${own}/approvals/${denied}`, {
    decision: 'deny',
    reason: 'Guests have booked their trains.',
  });
  return request('Lunch with the board');
}

const ENDPOINTS = [
  { path: '/204', description: 'Production' },
  { path: '/503', description: 'Staging' },
  { path: '/410', description: 'Old receiver' },
] as const;

const addEndpoints = (operator: Operator, applicationId: string, receiver: string): Promise<string[]> =>
  Promise.all(
    ENDPOINTS.map(({ path, description }) =>
      addEndpoint(operator, applicationId, { url: receiver + path, description }),
    ),
  );

/** Fills a new service with the data of a few days. */
export async function fill(
  operator: Operator,
  { environmentUrl, receiver }: { readonly environmentUrl: string; readonly receiver: string },
): Promise<{
  readonly applicationId: string;
  readonly accounts: readonly (AccountRef & Identified)[];
  /** The ID of an execution. */
  readonly executionId: string;
  /** The ID of a pending approval. */
  readonly approvalId: string;
  /** The IDs of an endpoint that fails, of a delivery to it, and of the event of the delivery. */
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly eventId: string;
}> {
  const { call } = operator;
  const { items } = await call<{ items: readonly Identified[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const own = `/applications/${applicationId}`;
  await call('PATCH', own, {
    name: 'Acme assistant',
    redirectUrls: ['https://assistant.acme.example/connected'],
  });
  const [, endpointId = ''] = await addEndpoints(operator, applicationId, receiver);
  await call('POST', '/applications', { name: 'Acme support desk' });
  await call('POST', '/operators', { name: 'grace', role: 'operator' });
  await call('POST', '/operators', { name: 'auditor', role: 'reader' });
  const accounts: (AccountRef & Identified)[] = [];
  const put = async (account: AccountRef, secrets: object) => {
    const { id } = await call<Identified>('PUT', own + pathOf(account), secrets);
    accounts.push({ ...account, id });
  };
  for (const { secrets, ...account } of BY_KEY) await put(account, secrets);
  for (const { user, ...account } of BY_CONSENT) {
    await put(account, {});
    const { link } = await call<{ link: string }>('POST', `${own}${pathOf(account)}/authorization-link`, {});
    await approve(link, { user });
  }
  for (const account of INVITED) await put(account, {});
  const calendarAccount = accounts.find(({ connectionName }) => connectionName === 'calendar')?.id ?? '';
  const execute = `${own}/tools/calendar_list_events/execute`;
  const body = { connectedAccountId: calendarAccount, toolInput: {} };
  const { executionId } = await call<{ executionId: string }>('POST', execute, body);
  const { clientSecret } = await call<{ clientSecret: string }>('POST', `${own}/client-secrets`);
  const signing = { url: environmentUrl, applicationId, clientSecret };
  await createTokens(signing);
  await addAgents(operator, signing);
  const approvalId = await requestApprovals(operator, own, calendarAccount);
  const { id: deliveryId, eventId } = await attemptedDelivery(operator, applicationId, endpointId);
  return { applicationId, accounts, executionId, approvalId, endpointId, deliveryId, eventId };
}

import { createClient } from '@svc/core';
import { approve } from '@svc/sandbox';
import { giveAccess, REDIRECT_URI, type SigningApplication } from '../test/support/give-access.ts';
import type { Operator } from '../test/support/operator.ts';

interface Identified {
  readonly id: string;
}

interface Place {
  readonly connectionName: string;
  readonly identifier: string;
}

const BY_KEY: readonly (Place & { readonly secrets: object })[] = [
  { connectionName: 'network', identifier: 'sales@acme.example', secrets: { apiKey: 'sandbox-network' } },
  { connectionName: 'network', identifier: 'research@acme.example', secrets: { apiKey: 'sandbox-network' } },
  {
    connectionName: 'scrapermcp',
    identifier: 'research@acme.example',
    secrets: { bearerToken: 'sandbox-scraper' },
  },
];
const BY_CONSENT: readonly (Place & { readonly user: string })[] = [
  { connectionName: 'calendar', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'calendar', identifier: 'grace@acme.example', user: 'grace' },
  { connectionName: 'video', identifier: 'studio@acme.example', user: 'ada' },
  { connectionName: 'workspace', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'filesite', identifier: 'office@acme.example', user: 'ada' },
  { connectionName: 'notesmcp', identifier: 'grace@acme.example', user: 'grace' },
];
const INVITED: readonly Place[] = [
  { connectionName: 'calendar', identifier: 'kim@acme.example' },
  { connectionName: 'video', identifier: 'events@acme.example' },
];

const pathOf = ({ connectionName, identifier }: Place) =>
  `/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}`;

/** A token of an agent and one of a browser, as the application makes them for its users. */
async function makeTokens({ url, applicationId, clientSecret }: SigningApplication): Promise<void> {
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

/** Two clients, which users gave access, and one that registered itself, whose access was revoked. */
async function admitAgents({ call }: Operator, of: SigningApplication): Promise<void> {
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

/** Two calls that a person is asked about: one was refused, one waits. Gives the one that waits. */
async function askTwice({ call }: Operator, own: string, connectedAccountId: string): Promise<string> {
  await call('PATCH', `${own}/connections/calendar`, { approve: { default: 'destructive', tools: {} } });
  const ask = async (event_id: string) => {
    const toolInput = { calendar_id: 'primary', event_id };
    const asked = call('POST', `${own}/tools/calendar_delete_event/execute`, {
      connectedAccountId,
      toolInput,
    });
    await asked.catch(() => undefined);
    const { items } = await call<{ items: readonly Identified[] }>('GET', `${own}/approvals`);
    return items[0]?.id ?? '';
  };
  const refused = await ask('standup0on0mondays');
  await call('POST', `${own}/approvals/${refused}`, {
    decision: 'deny',
    reason: 'Guests have booked their trains.',
  });
  return ask('lunch0with0the0board');
}

/** Puts into a new service what one would see in it after a few days; gives its application and accounts. */
export async function fill(
  operator: Operator,
  environmentUrl: string,
): Promise<{
  readonly applicationId: string;
  readonly accounts: readonly (Place & Identified)[];
  /** Of a call that was made. */
  readonly executionId: string;
  /** Of a call that waits for a person. */
  readonly approvalId: string;
}> {
  const { call } = operator;
  const { items } = await call<{ items: readonly Identified[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const own = `/applications/${applicationId}`;
  await call('PATCH', own, {
    name: 'Acme assistant',
    redirectUrls: ['https://assistant.acme.example/connected'],
  });
  await call('POST', '/applications', { name: 'Acme support desk' });
  await call('POST', '/operators', { name: 'grace', role: 'operator' });
  await call('POST', '/operators', { name: 'auditor', role: 'reader' });
  const accounts: (Place & Identified)[] = [];
  const put = async (place: Place, secrets: object) => {
    const { id } = await call<Identified>('PUT', own + pathOf(place), secrets);
    accounts.push({ ...place, id });
  };
  for (const { secrets, ...place } of BY_KEY) await put(place, secrets);
  for (const { user, ...place } of BY_CONSENT) {
    await put(place, {});
    const { link } = await call<{ link: string }>('POST', `${own}${pathOf(place)}/authorization-link`, {});
    await approve(link, { user });
  }
  for (const place of INVITED) await put(place, {});
  const calendarAccount = accounts.find(({ connectionName }) => connectionName === 'calendar')?.id ?? '';
  const { executionId } = await call<{ executionId: string }>(
    'POST',
    `${own}/tools/calendar_list_events/execute`,
    {
      connectedAccountId: calendarAccount,
      toolInput: {},
    },
  );
  const { clientSecret } = await call<{ clientSecret: string }>('POST', `${own}/client-secrets`);
  const signing = { url: environmentUrl, applicationId, clientSecret };
  await makeTokens(signing);
  await admitAgents(operator, signing);
  const approvalId = await askTwice(operator, own, calendarAccount);
  return { applicationId, accounts, executionId, approvalId };
}

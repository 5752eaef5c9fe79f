// Uses the service with a client that openapi-typescript generated from GET /openapi.json. Run `npm run generate`
// first.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, dataOf, ServiceError } from './client.ts';

const {
  SVC_ENVIRONMENT_URL: environmentUrl = 'http://localhost:4400',
  SVC_CLIENT_ID: clientId = '',
  SVC_CLIENT_SECRET: clientSecret = '',
} = process.env;
const client = await connect({ environmentUrl, clientId, clientSecret });

const connectionName = 'team_calendar';
// Replace user_42 by the id of your user.
const account = { connectionName, identifier: 'user_42' };

/** Registers an OAuth client at the sandbox, as you would do it on the pages of the real calendar service. */
async function registerClient(sandboxUrl: string, redirectUri: string) {
  const response = await fetch(`${sandboxUrl}/_sandbox/upstreams/calendar/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirectUris: [redirectUri] }),
  });
  return (await response.json()) as { readonly clientId: string; readonly clientSecret: string };
}

/** Creates a second connection to the sandbox's calendar, in which a person approves each new event. */
async function createConnection() {
  const params = { path: { connectionName: 'calendar' } };
  const existing = dataOf(await client.GET('/v1/connections/{connectionName}', { params }));
  const { baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = existing;
  const addresses = { baseUrl, authorizationEndpoint, tokenEndpoint, revocationEndpoint };
  const given = Object.entries(addresses).flatMap(([name, url]) => (url ? [[name, url]] : []));
  const created = dataOf(
    await client.POST('/v1/connections', {
      body: { connectionName, connector: 'calendar', ...Object.fromEntries(given) },
    }),
  );
  const oauthClient = await registerClient(new URL(baseUrl ?? '').origin, created.redirectUri ?? '');
  return dataOf(
    await client.PATCH('/v1/connections/{connectionName}', {
      params: { path: { connectionName } },
      body: { ...oauthClient, approve: { default: 'never', tools: { calendar_create_event: 'always' } } },
    }),
  );
}

const getOrCreateAccount = async () =>
  dataOf(
    await client.PUT('/v1/connections/{connectionName}/accounts/{identifier}', {
      params: { path: account },
      body: {},
    }),
  );

/** Shows the link where the user consents, and waits until the account is authorized. */
async function authorize() {
  const { link } = dataOf(
    await client.POST('/v1/connections/{connectionName}/accounts/{identifier}/authorization-link', {
      params: { path: account },
      body: {},
    }),
  );
  console.log('Connect the calendar:', link);
  const isAuthorized = async () => (await getOrCreateAccount()).status === 'authorized';
  while (!(await isAuthorized())) await sleep(1000);
}

async function executeTool(toolName: string, toolInput: Record<string, unknown>) {
  const result = dataOf(
    await client.POST('/v1/tools/{toolName}/execute', {
      params: { path: { toolName } },
      body: { ...account, toolInput },
    }),
  );
  if ('data' in result) return result;
  throw new Error('The service responded with a dry run, which was not requested.');
}

/** Runs a tool that needs an approval, and approves the call. In production, a person decides. */
async function executeApproved(toolName: string, toolInput: Record<string, unknown>) {
  const approvalId = await executeTool(toolName, toolInput).then(
    () => '',
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'approval_required')
        return String(error.details['id']);
      throw error;
    },
  );
  dataOf(
    await client.POST('/v1/approvals/{approvalId}', {
      params: { path: { approvalId } },
      body: { decision: 'approve' },
    }),
  );
  return executeTool(toolName, toolInput);
}

const connection = await createConnection();
console.log('Created the connection', connection.connectionName);
if ((await getOrCreateAccount()).status !== 'authorized') await authorize();

const tools = dataOf(await client.GET('/v1/tools', { params: { query: { connector: 'calendar' } } }));
console.log('Tools:', tools.items.map(({ name }) => name).join(', '));

const event = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };
const { data, executionId } = await executeApproved('calendar_create_event', event);
console.log('Created', (data as { readonly summary: string }).summary);

try {
  await executeTool('calendar_create_event', { ...event, start_datetime: 'tomorrow' });
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  console.log('Refused:', error.message, JSON.stringify(error.details));
}

const calendars = dataOf(
  await client.GET('/v1/proxy/{connectionName}/{identifier}/{path}', {
    params: { path: { ...account, path: 'calendar/v3/users/me/calendarList' } },
  }),
);
console.log('Calendars:', (calendars as { readonly items: readonly unknown[] }).items.length);

const execution = dataOf(
  await client.GET('/v1/executions/{executionId}', { params: { path: { executionId } } }),
);
console.log('The call took', execution.durationMs, 'ms in version', execution.serviceVersion);

// Deletes the account and the connection, so that the example can run again.
await client.DELETE('/v1/connections/{connectionName}/accounts/{identifier}', { params: { path: account } });
const { response } = await client.DELETE('/v1/connections/{connectionName}', {
  params: { path: { connectionName } },
});
console.log('Deleted the connection:', response.status);

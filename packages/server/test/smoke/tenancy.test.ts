import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { SUBSCRIPTION } from '../support/databases/sample-rows.js';
import { createDelivery, type DeliveryIds } from '../support/events/create-delivery.js';
import { createStoppedWatch } from '../support/events/watching.js';
import { grantTokens, openSignIn } from '../support/mcp/sign-in.js';
import {
  applicationOperationsOf,
  fillPath,
  type Operation,
  readOpenApi,
} from '../support/requests/operations.js';
import { type Application, type Reply, signIn } from '../support/service/application.js';
import { requestApproval } from '../support/service/request-approval.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

type Ids = Readonly<
  Record<
    | 'connectionName'
    | 'identifier'
    | 'id'
    | 'executionId'
    | 'approvalId'
    | 'accountTokenId'
    | 'agentTokenId'
    | 'agentClientId'
    | 'agentGrantId'
    | 'subscriptionId'
    | 'watchId'
    | keyof DeliveryIds,
    string
  >
>;

let service: Service;
let owner: Application;
let stranger: Application;
let operations: readonly Operation[];
let owned: Ids;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  owner = await signIn(service);
  stranger = await addApplication(service);
  operations = applicationOperationsOf(await readOpenApi(service.url));
  const { id } = await connectAccount(service, 'calendar', 'user_42');
  const { executionId } = (await callTool(owner, id)).json<{ executionId: string }>();
  const made = async (kind: string) => {
    const reply = await owner.call('POST', `/v1/${kind}-tokens`, {
      body: { identifier: 'user_42', expiresIn: 600 },
    });
    return reply.json<{ id: string }>().id;
  };
  const tokens = { accountTokenId: await made('account'), agentTokenId: await made('agent') };
  const agents = await giveAccess();
  const toolCall = { connectionName: 'calendar', connectedAccountId: id, toolName: 'calendar_list_events' };
  const approvalId = await requestApproval(owner, toolCall);
  owned = {
    connectionName: 'calendar',
    identifier: 'user_42',
    id,
    executionId,
    approvalId,
    subscriptionId: await insertSubscription(id),
    ...(await createDelivery(owner)),
    watchId: await createStoppedWatch(owner, id),
    ...tokens,
    ...agents,
  };
});

afterAll(() => service.stop());

/** Inserts a webhook subscription of an account, because the calendar has no webhooks. Returns the id. */
async function insertSubscription(accountId: string): Promise<string> {
  const { databaseUrl, data, clientId: applicationId } = service;
  const source = databaseUrl === undefined ? { path: path.join(data, 'svc.db') } : { url: databaseUrl };
  const { database, close } = await openDatabase({ ...source, shared: true });
  const row = { ...SUBSCRIPTION, id: 'sub_0193f2a8c4d17b3e9a5c6d7e', applicationId, accountId };
  await database.insertInto('webhookSubscriptions').values(row).execute();
  await close();
  return row.id;
}

/** Lets a user of the owner grant access to an MCP client, and returns the IDs of client and grant. */
async function giveAccess() {
  const signing = await openSignIn(service);
  await grantTokens(signing);
  const grants = (await owner.call('GET', '/v1/agent-grants')).json<{ items: { id: string }[] }>();
  return { agentClientId: signing.clientId, agentGrantId: grants.items[0]?.id ?? '' };
}

const callTool = ({ call }: Application, connectedAccountId: string, headers = {}) =>
  call('POST', '/v1/tools/calendar_list_calendars/execute', {
    body: { connectedAccountId, toolInput: {} },
    headers,
  });

// Names from the catalogue and the upstream, which every application may see.
const SHARED = {
  name: 'calendar',
  toolName: 'calendar_list_calendars',
  path: 'calendar/v3/users/me/calendarList',
};
const BODIES: Readonly<Record<string, (ids: Ids) => object>> = {
  'POST /v1/tools/{toolName}/execute': ({ id }) => ({ connectedAccountId: id, toolInput: {} }),
  'PATCH /v1/connections/{connectionName}': () => ({ scopes: [] }),
  'POST /v1/approvals/{approvalId}': () => ({ decision: 'approve' }),
  'PATCH /v1/webhook-endpoints/{endpointId}': () => ({ ordered: true }),
  'POST /v1/connections/{connectionName}/accounts/{identifier}/webhooks': () => ({ trigger: 'x' }),
  'POST /v1/accounts/{id}/webhooks': () => ({ trigger: 'x' }),
  'PATCH /v1/watches/{watchId}': () => ({ every: 60 }),
};
const QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  'GET /v1/accounts': ({ connectionName }) => `?connectionName=${connectionName}`,
  'GET /v1/executions': ({ connectionName }) => `?connectionName=${connectionName}`,
  'GET /v1/execution-statistics': ({ connectionName }) =>
    `?from=2026-01-01&to=2100-01-01&connectionName=${connectionName}`,
};

/** Builds the request for this operation with these IDs. */
function requestOf({ method, path }: Operation, ids: Ids) {
  const name = `${method} ${path}`;
  const query = QUERIES[name]?.(ids) ?? '';
  return {
    method,
    path: fillPath(path, { ...SHARED, ...ids }) + query,
    body: BODIES[name]?.(ids),
  };
}

const send = ({ call }: Application, { method, path, body }: ReturnType<typeof requestOf>) =>
  call(method, path, { body });

/** Changes an ID to a nonexistent ID of equal length, so that responses have equal lengths. */
const another = (id: string) => id.replace(/[0-9a-f]{4}$/, (end) => (end === '0000' ? '0001' : '0000'));
const missingLike = ({ id, executionId, approvalId, ...ids }: Ids): Ids => ({
  connectionName: 'calendaz',
  identifier: 'user_43',
  id: another(id),
  executionId: another(executionId),
  approvalId: another(approvalId),
  accountTokenId: another(ids.accountTokenId),
  agentTokenId: another(ids.agentTokenId),
  agentClientId: another(ids.agentClientId),
  agentGrantId: another(ids.agentGrantId),
  endpointId: another(ids.endpointId),
  eventId: another(ids.eventId),
  deliveryId: another(ids.deliveryId),
  subscriptionId: another(ids.subscriptionId),
  watchId: another(ids.watchId),
});

/** Removes the caller's own calls that found no object from its list of executions. */
function withoutRefused(reply: Reply): Pick<Reply, 'status' | 'headers' | 'text'> {
  const { items } = reply.json<{ items: readonly { status: number }[] }>();
  const headers = new Headers(reply.headers);
  headers.delete('content-length');
  return { ...reply, headers, text: JSON.stringify(items.filter(({ status }) => status !== 404)) };
}

/** Returns what a caller sees of a response, without the caller's own values, the date and the request ID. */
function visible(reply: Reply, ids: Ids, title: string) {
  const { status, headers, text } = title === 'GET /v1/executions' ? withoutRefused(reply) : reply;
  const { date: _, 'svc-request-id': requestId = '', ...rest } = Object.fromEntries(headers);
  const names = [...Object.values(ids), requestId].filter((name) => name !== '');
  return { status, headers: rest, text: names.reduce((seen, name) => seen.replaceAll(name, '…'), text) };
}

const namesSomething = (operation: Operation) => {
  const [first, second] = [owned, missingLike(owned)].map((ids) => requestOf(operation, ids));
  return JSON.stringify(first) !== JSON.stringify(second);
};

test('A1: every operation treats an object of another application like a missing one', async () => {
  const naming = operations.filter(namesSomething);
  const missing = missingLike(owned);
  for (const operation of naming) {
    const title = `${operation.method} ${operation.path}`;
    const foreign = visible(await send(stranger, requestOf(operation, owned)), owned, title);
    const unknown = visible(await send(stranger, requestOf(operation, missing)), missing, title);
    expect({ title, ...foreign }).toEqual({ title, ...unknown });
    expect({ title, isKnown: foreign.status !== 404 }).toEqual({
      title,
      isKnown: /^GET .v1.execution(s|-statistics)$/.test(title),
    });
  }
});

test('A1: the tested operations are all that name an object of an application', () => {
  const others = operations.filter((operation) => !namesSomething(operation));
  expect(others.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'DELETE /v1/agent-access',
    'GET /v1/account-tokens',
    'GET /v1/agent-access',
    'GET /v1/agent-clients',
    'GET /v1/agent-grants',
    'GET /v1/agent-tokens',
    'GET /v1/approvals',
    'GET /v1/connection-summaries',
    'GET /v1/connections',
    'GET /v1/connectors',
    'GET /v1/connectors/{name}',
    'GET /v1/deliveries',
    'GET /v1/events',
    'GET /v1/tool-summaries',
    'GET /v1/tools',
    'GET /v1/tools/{name}',
    'GET /v1/watches',
    'GET /v1/webhook-endpoints',
    'POST /oauth/token',
    'POST /v1/account-tokens',
    'POST /v1/accounts/verify',
    'POST /v1/agent-clients',
    'POST /v1/agent-sign-ins',
    'POST /v1/agent-tokens',
    'POST /v1/connections',
    'POST /v1/watches',
    'POST /v1/webhook-endpoints',
    'PUT /v1/agent-access',
  ]);
});

test('A1: the owner can still read every object after the requests of the stranger', async () => {
  const reading = operations.filter(({ method }) => method === 'GET' || method === 'HEAD');
  for (const operation of reading.filter(namesSomething)) {
    expect((await send(owner, requestOf(operation, owned))).status).toBe(200);
  }
  expect((await callTool(owner, owned.id)).status).toBe(200);
});

describe('A1: another application', () => {
  test.each([
    '/v1/connections',
    '/v1/accounts',
    '/v1/account-tokens',
    '/v1/agent-tokens',
    '/v1/agent-clients',
    '/v1/agent-grants',
    '/v1/approvals',
    '/v1/events',
    '/v1/watches',
    '/v1/webhook-endpoints',
    '/v1/deliveries',
  ])('gets an empty list at %s', async (path) => {
    expect((await stranger.call('GET', path)).json()).toEqual({ items: [] });
    expect((await owner.call('GET', path)).json()).not.toEqual({ items: [] });
  });

  test('lists only its own executions', async () => {
    expect(withoutRefused(await stranger.call('GET', '/v1/executions')).text).toBe('[]');
    expect(withoutRefused(await owner.call('GET', '/v1/executions')).text).not.toBe('[]');
  });

  test('can use the same names for its own objects', async () => {
    const body = { connectionName: 'calendar', connector: 'calendar' };
    expect((await stranger.call('POST', '/v1/connections', { body })).status).toBe(201);
    const made = await stranger.call('PUT', '/v1/connections/calendar/accounts/user_42');
    expect([made.status, made.json()]).toEqual([201, expect.objectContaining({ status: 'unauthorized' })]);
    expect(made.json<Ids>().id).not.toBe(owned.id);
    expect((await stranger.call('DELETE', '/v1/connections/calendar')).status).toBe(204);
    expect((await callTool(owner, owned.id)).status).toBe(200);
  });

  test('gets no response stored for the same idempotency key of the first one', async () => {
    const headers = { 'idempotency-key': 'one-key-of-two-applications' };
    const first = await callTool(owner, owned.id, headers);
    expect((await callTool(owner, owned.id, headers)).text).toBe(first.text);
    expect((await callTool(stranger, owned.id, headers)).status).toBe(404);
  });

  test('cannot use the page token of the first one', async () => {
    await owner.call('PUT', '/v1/connections/calendar/accounts/user_41');
    const page = await owner.call('GET', '/v1/connections/calendar/accounts?pageSize=1');
    const { nextPageToken } = page.json<{ nextPageToken: string }>();
    const reply = await stranger.call('GET', `/v1/connections/calendar/accounts?pageToken=${nextPageToken}`);
    expect(reply.status).toBe(404);
  });
});

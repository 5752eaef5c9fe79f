import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { Agent, type Dispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDelivery } from '../support/events/create-delivery.js';
import { createDocumentedCheck } from '../support/requests/check-documented.js';
import type { NearValidRequest } from '../support/requests/near-valid-request.js';
import { applicationOperationsOf, type Operation, readOpenApi } from '../support/requests/operations.js';
import { defaultRuns, part, sendGenerated, without } from '../support/requests/send-generated.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, signInOnce } from '../support/service/application.js';
import { requestApproval } from '../support/service/request-approval.js';
import { type Service, startService } from '../support/service/service.js';

// Upstream request that checks a new API key. No other upstream request may occur, and the mock below rejects all.
const VERIFY = 'GET /customer/api/v1/me';
/** Origin of the webhook endpoints, to which the service sends events. */
const HOOKS = 'https://hooks.example.com';
const dialled: Dispatcher.DispatchOptions[] = [];
vi.mock(import('../../src/http/agent.js'), () => ({
  createAgent: () => {
    const agent = new (class extends Agent {
      override dispatch(options: Dispatcher.DispatchOptions): boolean {
        dialled.push(options);
        throw new Error('Nothing may be sent.');
      }
    })();
    const ends = { close: () => agent.close(), destroy: () => agent.destroy() };
    return { idleTimeoutMs: 0, dispatcherFor: () => agent, prepare: () => undefined, ...ends };
  },
}));

let service: Service;
let application: () => Promise<Application>;
let operations: readonly Operation[];
let accountId = '';
let agentClientId = '';
let deliveryIds = { endpointId: '', eventId: '', deliveryId: '' };
let tokenIds = { account: '', agent: '' };
/** Id of an execution that failed with `invalid_input`. */
let executionId = '';
let approvalId = '';

beforeAll(async () => {
  service = await startService({ connectors: [] });
  application = signInOnce(service);
  operations = applicationOperationsOf(await readOpenApi(service.url)).filter(
    ({ path }) => !ASKS_UPSTREAM.test(path),
  );
  await connect();
  const { call } = await application();
  await call('POST', '/v1/connections', { body: { connectionName: 'keyed', connector: 'convintel' } });
  const body = { bearerToken: 'sandbox-token' };
  const account = await call('PUT', '/v1/connections/keyed/accounts/user_42', { body });
  const { id: connectedAccountId } = account.json<{ id: string }>();
  await call('POST', '/v1/tools/convintel_users_list/execute', {
    body: { connectedAccountId, toolInput: { wrong: 1 } },
  });
  approvalId = await requestApproval(
    { call },
    {
      connectionName: 'keyed',
      connectedAccountId,
      toolName: 'convintel_summary_get',
      toolInput: { activityId: '00000000-0000-4000-8000-000000000000' },
    },
  );
  const executions = await call('GET', '/v1/executions?toolName=convintel_users_list');
  executionId = executions.json<{ items: readonly { id: string }[] }>().items[0]?.id ?? '';
});
afterAll(() => service.stop());

/** Creates the connection, account, client and tokens: before the test, and after each successful deletion. */
async function connect(): Promise<void> {
  const { call } = await application();
  await call('POST', '/v1/connections', {
    body: { connectionName: 'calendar', connector: 'calendar', clientId: 'client', clientSecret: 'secret' },
  });
  const account = await call('PUT', '/v1/connections/calendar/accounts/user_42');
  accountId = account.json<{ id: string }>().id;
  await call('PUT', '/v1/connections/calendar/accounts/user_42?account=work');
  const makeToken = async (kind: string) => {
    const made = await call('POST', `/v1/${kind}-tokens`, {
      body: { identifier: 'user_42', expiresIn: 3600 },
    });
    return made.json<{ id: string }>().id;
  };
  const client = await call('POST', '/v1/agent-clients', {
    body: { name: 'Client', redirectUris: ['https://client.example/callback'] },
  });
  if (client.status === 201) agentClientId = client.json<{ id: string }>().id;
  await call('PUT', '/v1/agent-access', { body: { signInUrl: 'https://app.example.com/sign-in' } });
  tokenIds = { account: await makeToken('account'), agent: await makeToken('agent') };
  creating ??= createEndpoint().finally(() => {
    creating = undefined;
  });
  await creating;
}

/** Creation of the endpoint that is under way, because several deletions can end at the same time. */
let creating: Promise<void> | undefined;

/** Creates the endpoint with its delivery again, if a request has deleted it. */
async function createEndpoint(): Promise<void> {
  const { call } = await application();
  const path = `/v1/webhook-endpoints/${deliveryIds.endpointId || 'none'}`;
  if ((await call('GET', path)).status === 200) return;
  // Other requests may have created as many endpoints as an application can have.
  const others = (await call('GET', '/v1/webhook-endpoints')).json<{ items: { id: string }[] }>();
  for (const { id } of others.items) await call('DELETE', `/v1/webhook-endpoints/${id}`);
  deliveryIds = await createDelivery({ call });
  await call('PATCH', `/v1/webhook-endpoints/${deliveryIds.endpointId}`, { body: { enabled: true } });
}

// Placeholder. `send` replaces it with the account's id, which changes when a deleted account is created again.
const ACCOUNT = 'acct_42';
const SIGN_IN = '/oauth/token';
/** Operations that need more runs, because only about 1 in 50 requests has valid values in all of its fields. */
const UNLIKELY = [SIGN_IN, '/v1/events', '/v1/executions', '/v1/connections', '/v1/approvals'];
/** Placeholders. `send` replaces them with the id of an account token and the id of an agent token. */
const TOKENS = { account: 'tok_account', agent: 'tok_agent' };
const CLIENT = 'client_known';
const OF_DELIVERY = { endpointId: 'ep_known', eventId: 'evt_known', deliveryId: 'dlv_known' } as const;

const MOMENTS = ['20', '21', '22', '23'].flatMap((day) => [`2026-11-${day}`, `2026-11-${day}T12:00:00Z`]);

const known = () => ({
  connectionName: ['calendar', 'calendar', 'missing', 'another'],
  connector: ['calendar', 'video', 'network'],
  identifier: ['user_42', 'user_42', 'user_42', 'user_43', 'Zoë / 7'],
  account: ['work'],
  id: [ACCOUNT, 'acct_missing'],
  connectedAccountId: [ACCOUNT, 'acct_missing'],
  name: ['calendar', 'calendar_list_calendars', 'missing'],
  toolName: ['calendar_list_calendars', 'calendar_create_event', 'missing'],
  path: ['calendar/v3/users/me/calendarList'],
  baseUrl: ['https://api.example.com/v1', 'https://10.0.0.1', 'http://localhost', 'https://a@b.example.com'],
  grant_type: ['client_credentials'],
  client_id: [service.clientId, service.clientId, service.clientId, 'app_missing'],
  client_secret: [service.clientSecret, service.clientSecret, service.clientSecret, 'svc_sk_wrong'],
  pageToken: [
    ...[
      ['a'],
      // Position, id and time in a token of the list of events.
      ['1', deliveryIds.eventId, '1'],
      ['1e400', deliveryIds.eventId, '1'],
      ['a', 'b'],
      ['1', 'b'],
      ['1e400', 'b'],
      ['9'.repeat(30), 'b'],
      ['\0'],
      ['1', '\0'],
      [1],
      {},
    ].map((keys) => Buffer.from(JSON.stringify(keys)).toString('base64url')),
  ],
  region: ['us', 'missing'],
  approvalId: [approvalId, approvalId, 'appr_1'],
  executionId: [executionId, executionId, `exec_${'0'.repeat(32)}`, 'exec_1'],
  from: [...MOMENTS, '0000-01-01', 'yesterday'],
  to: [...MOMENTS, '9999-12-31', 'tomorrow'],
  since: [...MOMENTS, 'yesterday'],
  until: [...MOMENTS, 'tomorrow'],
  accountId: [ACCOUNT, 'acct_missing'],
  accountTokenId: [TOKENS.account, 'tok_missing'],
  agentTokenId: [TOKENS.agent, 'tok_missing'],
  agentClientId: [CLIENT, 'client_missing'],
  agentGrantId: ['grant_missing'],
  endpointId: [OF_DELIVERY.endpointId, 'ep_missing'],
  eventId: [OF_DELIVERY.eventId, 'evt_missing'],
  deliveryId: [OF_DELIVERY.deliveryId, 'dlv_missing'],
  watchId: ['watch_missing'],
  after: [OF_DELIVERY.eventId, OF_DELIVERY.eventId, 'latest', 'evt_missing'],
  // Waits for no event, because a longer wait would take its time in each generated request.
  wait: [0, 0, 31, 'soon'],
  type: ['account.deleted', 'missing'],
  types: ['account.deleted', ['account.deleted'], 'missing'],
  url: [`${HOOKS}/svc`, 'https://10.0.0.1', 'http://localhost'],
  signInUrl: ['https://app.example.com/sign-in', 'http://app.example.com/sign-in'],
  redirectUris: [['https://client.example/callback'], ['javascript:alert(1)'], []],
  audience: [service.url, `${service.url}/mcp`, 'https://elsewhere.example'],
});

/** Sends a request from a random IP address, because the service limits failed sign-ins per address. */
async function send({ method, url, headers, payload }: NearValidRequest): Promise<LightMyRequestResponse> {
  const { accessToken } = await application();
  return service.app.server.inject({
    method: method as 'GET',
    url: url
      .replace(ACCOUNT, accountId)
      .replace(TOKENS.account, tokenIds.account)
      .replace(TOKENS.agent, tokenIds.agent)
      .replace(CLIENT, agentClientId)
      .replace(OF_DELIVERY.endpointId, deliveryIds.endpointId)
      .replace(OF_DELIVERY.eventId, deliveryIds.eventId)
      .replace(OF_DELIVERY.deliveryId, deliveryIds.deliveryId),
    headers: { ...(url !== SIGN_IN && { authorization: `Bearer ${accessToken}` }), ...headers },
    ...(payload !== undefined && { payload: payload.replace(ACCOUNT, accountId) }),
    remoteAddress: `10.${[...randomBytes(3)].join('.')}`,
  });
}

/** Operations that always call an upstream. The tests leave them out, because no request may leave the machine. */
const ASKS_UPSTREAM = /\/check$/;
/**
 * Operations that succeed only with an upstream, after a user's consent or a browser sign-in, or on an object that such
 * an operation creates (webhook subscription, watch, grant). All generated requests to them fail.
 */
const ALWAYS_FAILS =
  /^POST .*\/webhooks$|^DELETE .*\/webhooks\/\{|^POST \/v1\/watches$|\/watches\/\{|\/execute$|\/v1\/proxy\/|\/verify$|\/agent-sign-ins$|\/agent-grants\/\{/;

function checkError(
  { headers, payload, statusCode }: LightMyRequestResponse,
  { operation }: NearValidRequest,
): void {
  if (operation.startsWith('HEAD ') || headers['svc-error'] === undefined) return;
  const { error, error_description: description } = JSON.parse(payload);
  const seen = { operation, statusCode, error };
  const code = headers['svc-error'];
  const requestId = headers['svc-request-id'];
  const ours = { code, message: expect.stringMatching(/\S/), requestId };
  // POST /oauth/token returns the error format of RFC 6749, section 5.2, where `error` is a string.
  expect(seen).toMatchObject({ error: description === undefined ? ours : expect.any(String) });
  expect(requestId).toMatch(/^req_/);
}

describe('A11, A12: generated requests to all operations', () => {
  let statuses: Awaited<ReturnType<typeof sendGenerated>>;

  test(
    'never cause a 5xx, get documented responses, and errors with a code, a message and a request id',
    async () => {
      const checkDocumented = createDocumentedCheck(operations);
      const onReply = async (reply: LightMyRequestResponse, request: NearValidRequest) => {
        checkError(reply, request);
        checkDocumented(reply, request);
        if (!request.url.startsWith(SIGN_IN)) expect(reply.statusCode).not.toBe(401);
        if (request.method === 'DELETE' && reply.statusCode === 204) await connect();
      };
      const isLasting = ({ method }: Operation) => method !== 'DELETE';
      const lasting = await sendGenerated(operations.filter(isLasting), {
        known: known(),
        send,
        onReply,
        runs: (operation) => Math.max(defaultRuns(operation), UNLIKELY.includes(operation.path) ? 600 : 0),
      });
      // Mixes deletions into the other operations, so that an object can disappear before any request.
      const runs = (operation: Operation) => part(10_000, isLasting(operation) ? 30 : undefined);
      const all = await sendGenerated(operations, { known: known(), send, onReply, runs });
      statuses = new Map(
        [...all].map(([name, seen]) => [name, new Set([...seen, ...(lasting.get(name) ?? [])])]),
      );
    },
    rounds(7_200_000, 360_000),
  );

  test('are partly accepted and partly refused by every operation', () => {
    expect([...statuses.keys()].sort()).toEqual(
      operations.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(without(statuses, (status) => status === 400)).toEqual([]);
    const untaken = without(statuses, (status) => status < 300);
    expect(untaken.filter((operation) => !ALWAYS_FAILS.test(operation))).toEqual([]);
  });

  test('reach the network only to verify a key and to deliver events', () => {
    const others = dialled.filter(
      ({ method, origin, path }) => origin !== HOOKS && `${method} ${path}` !== VERIFY,
    );
    expect(others).toEqual([]);
  });
});

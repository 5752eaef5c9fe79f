import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mintToken, runAgent } from '../support/mcp/agent.js';
import { type Application, fetchReply } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { type BeforeUpstream, PROXY_PATH, startBefore } from '../support/upstreams/start-before.js';

const TOOL = 'convintel_users_list';
const WRITE = 'convintel_webhook_create';
const WEBHOOK = { trigger: 'conversation_shared', url: 'https://hooks.example/secret-path' };
const USER = { connectionName: 'played', identifier: 'user_42' };
const NEWCOMER = { connectionName: 'played', identifier: 'newcomer' };

type Details = Readonly<Record<string, unknown>> & { readonly id: string; readonly requestId: string };

let before: BeforeUpstream;
let application: Application;
let agentToken: string;
let answer: (reply: ServerResponse) => void;

const upstream = createServer((request, reply) => {
  request.resume();
  answer(reply);
});

const refuseWith = (status: number, body: object) => (reply: ServerResponse) =>
  void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const disconnect = (reply: ServerResponse) => void reply.destroy();

beforeAll(async () => {
  // Retries wait for a random part of a second or more. A random number of 0 removes the wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  before = await startBefore(upstream);
  application = before.first;
  agentToken = await mintToken(before.service, { connections: ['played'] });
});
beforeEach(() => {
  answer = refuseWith(200, {});
});
afterAll(() => before.stop());

/** Finds the execution of the call with the given request id, and reads its details. */
async function detailsOf(requestId: string | null): Promise<Details> {
  const { items } = (await application.call('GET', '/v1/executions?pageSize=50')).json<{
    items: readonly Details[];
  }>();
  const found = items.find((each) => each.requestId === requestId);
  if (found === undefined) throw new Error(`No execution of the request ${requestId} was recorded.`);
  return (await application.call('GET', `/v1/executions/${found.id}`)).json();
}

const requestIdOf = ({ headers }: { readonly headers: Headers }) => headers.get('svc-request-id');

const send = (method: string, path: string, options: Parameters<Application['call']>[2] = {}) =>
  application.call(method, path, options).then(requestIdOf);

const tool = (toolName: string, body: object, headers = {}) =>
  send('POST', `/v1/tools/${toolName}/execute`, { body: { ...USER, toolInput: {}, ...body }, headers });

const proxied = (path = '/users', method = 'GET') => send(method, `${PROXY_PATH}${path}`);

const agent = (name: string, input: object = {}) =>
  runAgent(
    before.service,
    { method: 'tools/call', params: { name, arguments: input } },
    { token: agentToken },
  ).then(requestIdOf);

async function withPolicy<Result>(approve: object, work: () => Promise<Result>): Promise<Result> {
  const path = '/v1/connections/played';
  await application.call('PATCH', path, { body: { approve: { default: 'never', tools: {}, ...approve } } });
  try {
    return await work();
  } finally {
    await application.call('PATCH', path, { body: { approve: { default: 'never', tools: {} } } });
  }
}

async function withAccount<Result>(
  connectionName: string,
  work: (accountId: string) => Promise<Result>,
): Promise<Result> {
  const path = `/v1/connections/${connectionName}/accounts/newcomer`;
  const { id } = (await application.call('PUT', path, { body: {} })).json<Details>();
  try {
    return await work(id);
  } finally {
    await application.call('DELETE', path);
  }
}

const INVALID = { field: 'wrong', rule: 'additionalProperties' };
const SAID = { error: { code: 'quota_exceeded', message: 'The quota of user_42 is used up: token=hunter2' } };
const HEARD = {
  upstreamCode: 'quota_exceeded',
  upstreamMessage: expect.stringMatching(/^The quota of \(hidden\)/),
};

describe('a failed call is found with its cause', () => {
  test.each<{
    readonly title: string;
    readonly answer?: (reply: ServerResponse) => void;
    readonly call: () => Promise<string | null>;
    readonly expected: Readonly<Record<string, unknown>>;
  }>([
    {
      title: 'tool: unknown tool',
      call: () => tool('convintel_none', {}),
      expected: {
        errorCode: 'tool_not_found',
        toolName: 'convintel_none',
        ...{ accountIdentifier: 'user_42' },
      },
    },
    {
      title: 'tool: unknown account',
      call: () =>
        tool(TOOL, { connectionName: undefined, identifier: undefined, connectedAccountId: 'acct_none' }),
      expected: { errorCode: 'account_not_found', accountId: 'acct_none', attempts: 0 },
    },
    {
      title: 'tool: unknown connection',
      call: () => tool(TOOL, { connectionName: 'none' }),
      expected: { errorCode: 'connection_not_found', connectionName: 'none', accountIdentifier: 'user_42' },
    },
    {
      title: 'tool: user without an account',
      call: () => tool(TOOL, NEWCOMER),
      expected: {
        errorCode: 'account_not_authorized',
        connectionName: 'played',
        accountIdentifier: 'newcomer',
        cause: { reason: 'unauthorized' },
      },
    },
    {
      title: 'tool: account without consent, named by its id',
      call: () =>
        withAccount('played', (connectedAccountId) =>
          tool(TOOL, { connectionName: undefined, identifier: undefined, connectedAccountId }),
        ),
      expected: { errorCode: 'account_not_authorized', connectionName: 'played' },
    },
    {
      title: 'tool: account without consent',
      call: () => withAccount('played', () => tool(TOOL, NEWCOMER)),
      expected: {
        errorCode: 'account_not_authorized',
        accountId: expect.stringMatching(/^acct_/),
        cause: { reason: 'unauthorized' },
      },
    },
    {
      title: 'tool: invalid input',
      call: () => tool(TOOL, { toolInput: { wrong: 'a secret value' } }),
      expected: { errorCode: 'invalid_input', cause: { fields: [INVALID] }, accountIdentifier: 'user_42' },
    },
    {
      title: 'tool: unknown version',
      call: () => tool(TOOL, { schemaVersion: '9.0.0' }),
      expected: { errorCode: 'unknown_version' },
    },
    {
      title: 'tool: invalid request',
      call: () => tool(TOOL, { toolInput: 1 }),
      expected: {
        errorCode: 'invalid_request',
        toolName: TOOL,
        cause: { fields: [{ field: 'toolInput', rule: 'type' }] },
      },
    },
    {
      title: 'tool: too large a body',
      call: () => tool(TOOL, { toolInput: { text: 'a'.repeat(1.1 * 1024 * 1024) } }),
      expected: { errorCode: 'payload_too_large', toolName: TOOL },
    },
    {
      title: 'tool: idempotency key of another call',
      call: async () => {
        const headers = { 'idempotency-key': 'key_1' };
        await tool(WRITE, { toolInput: WEBHOOK }, headers);
        return tool(WRITE, { toolInput: { ...WEBHOOK, url: 'https://hooks.example/b' } }, headers);
      },
      expected: { errorCode: 'idempotency_mismatch', connectionName: 'played', accountIdentifier: 'user_42' },
    },
    {
      title: 'tool: call that waits for an approval',
      call: () => withPolicy({ default: 'always' }, () => tool(TOOL, {})),
      expected: { errorCode: 'approval_required' },
    },
    {
      title: 'tool: denied approval',
      call: () =>
        withPolicy({ default: 'always' }, async () => {
          const body = { ...USER, toolInput: { page: 2 } };
          const asked = await application.call('POST', `/v1/tools/${WRITE}/execute`, {
            body: { ...body, toolInput: WEBHOOK },
          });
          const { id } = asked.json<{ error: { details: { id: string } } }>().error.details;
          const decision = { decision: 'deny', reason: 'Ada dislikes it' };
          await application.call('POST', `/v1/approvals/${id}`, { body: decision });
          return tool(WRITE, { toolInput: WEBHOOK });
        }),
      expected: { errorCode: 'approval_denied', cause: { reason: 'denied' } },
    },
    {
      title: 'tool: rejected input',
      answer: refuseWith(422, SAID),
      call: () => tool(WRITE, { toolInput: WEBHOOK }),
      expected: {
        errorCode: 'upstream_failed',
        status: 422,
        cause: { reason: 'input_rejected', ...HEARD },
        requests: [{ ms: expect.any(Number), pauseMs: 0, status: 422 }],
      },
    },
    {
      title: 'tool: rejected call',
      answer: refuseWith(403, SAID),
      call: () => tool(TOOL, {}),
      expected: { errorCode: 'upstream_failed', status: 424, cause: { reason: 'call_rejected', ...HEARD } },
    },
    {
      title: 'tool: failing upstream',
      answer: refuseWith(500, SAID),
      call: () => tool(TOOL, {}),
      expected: {
        errorCode: 'upstream_failed',
        status: 502,
        attempts: 3,
        cause: HEARD,
        requests: [1, 2, 3].map(() => ({ ms: expect.any(Number), pauseMs: expect.any(Number), status: 500 })),
      },
    },
    {
      title: 'tool: broken connection',
      answer: disconnect,
      call: () => tool(WRITE, { toolInput: WEBHOOK }),
      expected: {
        errorCode: 'connection_failed',
        cause: { reason: 'closed' },
        requests: [{ ms: expect.any(Number), pauseMs: 0, failure: 'closed' }],
      },
    },
    {
      title: 'proxy: unknown connection',
      call: () => send('GET', '/v1/proxy/none/ada@example.com/users/4711?token=secret'),
      expected: {
        kind: 'proxy',
        method: 'GET',
        path: '/users/{id}',
        errorCode: 'connection_not_found',
        connectionName: 'none',
        accountIdentifier: 'ada@example.com',
      },
    },
    {
      title: 'proxy: user without an account',
      call: () => send('POST', '/v1/proxy/played/newcomer/users'),
      expected: {
        method: 'POST',
        path: '/users',
        errorCode: 'account_not_authorized',
        accountIdentifier: 'newcomer',
        cause: { reason: 'unauthorized' },
      },
    },
    {
      title: 'proxy: invalid request',
      call: () => send('GET', '/v1/proxy/played'),
      expected: { kind: 'proxy', errorCode: 'invalid_request' },
    },
    {
      title: 'proxy: request that would change data and needs an approval',
      call: () => withPolicy({ default: 'always' }, () => proxied('/webhooks', 'POST')),
      expected: { errorCode: 'forbidden', accountIdentifier: 'user_42', path: '/webhooks' },
    },
    {
      title: 'proxy: refused by the upstream',
      answer: refuseWith(429, SAID),
      call: () => proxied('/users/4711?name=Ada'),
      expected: { status: 429, upstreamStatus: 429, path: '/users/{id}', cause: HEARD },
    },
    {
      title: 'proxy: broken connection',
      answer: disconnect,
      call: () => proxied(),
      expected: {
        errorCode: 'connection_failed',
        cause: { reason: 'closed' },
        requests: [{ ms: expect.any(Number), pauseMs: 0, failure: 'closed' }],
      },
    },
    {
      title: 'MCP: unknown tool',
      call: () => agent('convintel_none'),
      expected: { errorCode: 'tool_not_found', toolName: 'convintel_none', accountIdentifier: 'user_42' },
    },
    {
      title: 'MCP: invalid input',
      call: () => agent(TOOL, { unknown: 1 }),
      expected: {
        errorCode: 'invalid_input',
        toolName: TOOL,
        cause: { fields: [{ ...INVALID, field: 'unknown' }] },
      },
    },
    {
      title: 'MCP: call that waits for an approval',
      call: () => withPolicy({ default: 'always' }, () => agent(TOOL)),
      expected: { errorCode: 'approval_required', toolName: TOOL },
    },
    {
      title: 'MCP: rejected call',
      answer: refuseWith(403, SAID),
      call: () => agent(TOOL),
      expected: { errorCode: 'upstream_failed', cause: { reason: 'call_rejected', ...HEARD } },
    },
    {
      title: 'MCP: broken connection',
      answer: disconnect,
      call: () => agent(WRITE, WEBHOOK),
      expected: { errorCode: 'connection_failed', cause: { reason: 'closed' } },
    },
  ])('$title', async ({ answer: given = refuseWith(200, {}), call, expected }) => {
    answer = given;
    const details = await detailsOf(await call());
    expect(details).toMatchObject({ count: 1, ...expected });
    expect(JSON.stringify(details)).not.toMatch(/secret|hunter2|Ada/);
  });
});

test('a connection can keep the errors of its upstream out of executions', async () => {
  const set = (storeUpstreamErrors: boolean) =>
    application.call('PATCH', '/v1/connections/played', { body: { storeUpstreamErrors } });
  expect((await set(false)).json()).toMatchObject({ storeUpstreamErrors: false });
  answer = refuseWith(403, SAID);
  expect(await detailsOf(await tool(TOOL, {}))).toMatchObject({ cause: { reason: 'call_rejected' } });
  expect((await detailsOf(await tool(TOOL, {})))['cause']).toEqual({ reason: 'call_rejected' });
  expect(await detailsOf(await proxied())).not.toHaveProperty('cause');
  await set(true);
});

test('equal refused calls of a minute share an execution, and the statistics count each', async () => {
  const [from, to] = [-600_000, 600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const count = async () => {
    const reply = await application.call('GET', `/v1/execution-statistics?from=${from}&to=${to}`);
    const { points } = reply.json<{ points: readonly { calls: number; errors: number }[] }>();
    const sumOf = (name: 'calls' | 'errors') => points.reduce((sum, point) => sum + point[name], 0);
    return [sumOf('calls'), sumOf('errors')] as const;
  };
  const [calls, errors] = await count();
  const ids = await Promise.all(Array.from({ length: 20 }, () => tool(TOOL, { toolInput: { flood: 1 } })));
  const { items } = (await application.call('GET', '/v1/executions?pageSize=100')).json<{
    items: readonly (Details & { readonly count: number })[];
  }>();
  const own = items.filter(({ requestId }) => ids.includes(requestId));
  // The calls may fall into two minutes.
  expect(own.length).toBeLessThanOrEqual(2);
  expect(own.reduce((sum, each) => sum + each.count, 0)).toBe(20);
  expect(await count()).toEqual([calls + 20, errors + 20]);
});

test('a call that waits for an approval is no failure, and the operator sees the number', async () => {
  const { app, url, clientId } = before.service;
  const operator = await signInOperator({ url, ...(await app.operators.create('grace', 'reader')) });
  const count = async () =>
    (await operator.call('GET', `/problems?applicationId=${clientId}`)).json<{ waitingApprovals: number }>()
      .waitingApprovals;
  const waiting = await count();
  await withPolicy({ default: 'always' }, () =>
    tool(WRITE, { toolInput: { ...WEBHOOK, url: `${WEBHOOK.url}/2` } }),
  );
  expect(await count()).toBe(waiting + 1);
  const requestId = await withPolicy({ default: 'always' }, () => tool(TOOL, { toolInput: {} }));
  const { items } = (await application.call('GET', '/v1/executions?failed=true&pageSize=100')).json<{
    items: readonly Details[];
  }>();
  expect(items.map((each) => each.requestId)).not.toContain(requestId);
  expect(items.length).toBeGreaterThan(3);
});

test('the circuit breaker is the cause of calls that it refuses', async () => {
  answer = disconnect;
  for (let call = 0; call < 25; call += 1) await proxied();
  for (const requestId of [await proxied(), await tool(TOOL, {}), await agent(TOOL)])
    expect(await detailsOf(requestId)).toMatchObject({
      errorCode: 'unavailable',
      attempts: 0,
      cause: { reason: 'circuit_breaker' },
    });
});

test('a caller of a browser or agent token is recorded when its limits refuse the call', async () => {
  const { token } = (
    await application.call('POST', '/v1/agent-tokens', {
      body: { identifier: 'user_42', expiresIn: 600, readOnly: true },
    })
  ).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const other = await fetchReply(`${before.service.url}/v1/tools/${TOOL}/execute`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...NEWCOMER, toolInput: {} }),
  });
  expect(await detailsOf(requestIdOf(other))).toMatchObject({
    errorCode: 'not_permitted',
    accountIdentifier: 'newcomer',
    cause: { reason: expect.any(String) },
  });
});

import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TIMED } from '../support/processes/cpu-of.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { DEFAULT_LIMITS } from '../support/service/raised-limits.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { executeTool } from '../support/tools/execute-tool.js';

const TOOL = 'workspace_users_list';

let service: Service;

beforeAll(async () => {
  // Rate limits use a fake clock that only tests advance, so that call counts are exact.
  vi.useFakeTimers({ toFake: ['performance'] });
  service = await startService({ connectors: ['workspace'], env: DEFAULT_LIMITS });
});

beforeEach(() => {
  vi.advanceTimersByTime(10_000);
});

afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

/** Creates an application that has used none of its rate limits yet, except for its access token. */
async function newApplication(): Promise<Application> {
  const { id: clientId, clientSecret } = await service.app.applications.create('Another application');
  return signIn({ url: service.url, clientId, clientSecret });
}

interface Outcome {
  readonly allowed: readonly Reply[];
  readonly refused: readonly Reply[];
}

/** Sends `count` calls, eight at a time, while the clock stands still. */
async function hammer(count: number, call: (index: number) => Promise<Reply>): Promise<Outcome> {
  const replies: Reply[] = [];
  let next = 0;
  const caller = async () => {
    while (next < count) replies.push(await call(next++));
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  const refused = replies.filter(({ status }) => status === 429);
  return { allowed: replies.filter((reply) => !refused.includes(reply)), refused };
}

const refusal = (limit: string) => ({
  status: 429,
  error: { code: 'rate_limited', details: { retryAfter: 1, limit } },
  headers: {
    'svc-error': 'rate_limited',
    'retry-after': '1',
    ratelimit: expect.stringMatching(new RegExp(`"${limit}";r=0;t=1$`)),
  },
});

const seen = (reply: Reply | undefined) => ({
  status: reply?.status,
  ...reply?.json<object>(),
  headers: Object.fromEntries(reply?.headers ?? []),
});

const remainingOf = ({ headers }: Reply): number =>
  Number(/"application";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

async function newAgentToken(application: Application): Promise<string> {
  const body = { identifier: 'ada', expiresIn: 600 };
  return (await application.call('POST', '/v1/agent-tokens', { body })).json<{ token: string }>().token;
}

test.each([
  { title: 'a tool call', method: 'POST', path: `/v1/tools/${TOOL}/execute` },
  { title: 'a message to the MCP endpoint', method: 'POST', path: '/mcp', tokenOf: newAgentToken },
  { title: 'a settings change', method: 'PATCH', path: '/v1/connections/workspace' },
])('F5: a body of nearly 1 MiB costs the application three more calls for $title', async (call) => {
  const application = await newApplication();
  const authorization = `Bearer ${(await call.tokenOf?.(application)) ?? application.accessToken}`;
  const before = remainingOf(await application.call('GET', '/v1/connections'));
  const body = JSON.stringify({ unknown: 'x'.repeat(1_000_000) });
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  const large = await fetchReply(`${service.url}${call.path}`, { method: call.method, headers, body });
  expect([large.status, remainingOf(large)]).toEqual([400, before - 1]);
  expect(remainingOf(await application.call('GET', '/v1/connections'))).toBe(before - 5);
});

test('A9: an application gets a burst of 100 calls and 50 per second, independently of others', async () => {
  const [busy, modest] = [await newApplication(), await newApplication()];
  const others: number[] = [];
  // The limit of 100 allows 99 more calls, because the request for the access token was the first call.
  const { allowed, refused } = await hammer(130, async (index) => {
    if (index % 10 === 0) others.push((await modest.call('GET', '/v1/connections')).status);
    return busy.call('GET', '/v1/connections');
  });
  expect([allowed.length, refused.length]).toEqual([99, 31]);
  expect(others).toEqual(Array(13).fill(200));
  expect(seen(refused[0])).toMatchObject(refusal('application'));
  expect(Object.fromEntries(allowed[0]?.headers ?? [])).toMatchObject({
    'ratelimit-policy': '"application";q=100;w=2',
    ratelimit: expect.stringMatching(/^"application";r=\d{2};t=1$/),
  });
  vi.advanceTimersByTime(1000);
  expect((await hammer(60, () => busy.call('GET', '/v1/connections'))).allowed).toHaveLength(50);
});

test('A9: an account gets a burst of 20 calls and 10 per second, shared by proxy and tools', async () => {
  const { id } = await connectAccount(service, 'workspace', 'busy');
  await connectAccount(service, 'workspace', 'modest');
  const { call, accessToken } = await signIn(service);
  const both = (index: number) =>
    index % 2 === 0
      ? call('GET', '/v1/proxy/workspace/busy/v1/users/me')
      : executeTool({ call, accessToken }, TOOL, { connectedAccountId: id });
  const { allowed, refused } = await hammer(30, both);
  expect([allowed.length, refused.length]).toEqual([20, 10]);
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200]));
  expect(seen(refused[0])).toMatchObject(refusal('account'));
  expect(Object.fromEntries(allowed[0]?.headers ?? [])).toMatchObject({
    'ratelimit-policy': '"application";q=100;w=2, "account";q=20;w=2',
  });
  expect((await call('GET', '/v1/proxy/workspace/modest/v1/users/me')).status).toBe(200);
  vi.advanceTimersByTime(1000);
  expect((await hammer(15, both)).allowed).toHaveLength(10);
});

test.each([
  { way: 'the hot path', path: '/v1/proxy/workspace/greedy/v1/users/me' },
  { way: 'the framework', path: '/v1/connections/workspace/accounts/greedy' },
])(
  'A9: a user who exceeds the limit of a token does not use up the limit of the application: $way',
  async ({ path }) => {
    await connectAccount(service, 'workspace', 'greedy');
    const owner = await signIn(service);
    vi.advanceTimersByTime(10_000);
    const holderOf = async (identifier: string) => {
      const made = await owner.call('POST', '/v1/account-tokens', { body: { identifier } });
      const headers = { authorization: `Bearer ${made.json<{ token: string }>().token}` };
      return () => fetchReply(`${service.url}${path}`, { headers });
    };
    const [greedy, again, modest] = [
      await holderOf('greedy'),
      await holderOf('greedy'),
      await holderOf('other'),
    ];
    const { refused } = await hammer(150, (index) => (index % 2 === 0 ? greedy() : again()));
    expect(
      refused.map((reply) => seen(reply)).filter(({ headers }) => !headers.ratelimit?.includes('"account"')),
    ).toHaveLength(110);
    expect(seen(refused.at(-1))).toMatchObject(refusal('user'));
    expect((await modest()).status).not.toBe(429);
    const { allowed } = await hammer(70, () => owner.call('GET', '/v1/connections'));
    // Used calls of the application: 3 that issued tokens, 40 of the greedy user and 1 of the other user.
    expect(allowed).toHaveLength(100 - 3 - 40 - 1);
  },
);

test('A9: a rate-limited call is refused before its body is read, and nothing is sent upstream', async () => {
  await connectAccount(service, 'workspace', 'upload');
  const { accessToken, call } = await signIn(service);
  await hammer(40, () => call('GET', '/v1/proxy/workspace/upload/v1/users/me'));
  const sent = (await service.sandbox.requests()).length;
  const request = httpRequest(`${service.url}/v1/proxy/workspace/upload/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-length': 100 * 1024 * 1024 },
  });
  request.on('error', () => undefined);
  // Sends the head only; the body never follows.
  request.flushHeaders();
  const [reply]: IncomingMessage[] = await once(request, 'response');
  expect(reply?.statusCode).toBe(429);
  expect(reply?.headers).toMatchObject({ 'svc-error': 'rate_limited', connection: 'close' });
  request.destroy();
  expect((await service.sandbox.requests()).length).toBe(sent);
});

test('A9: token requests with the correct secret count as calls of the application', async () => {
  const { id: clientId, clientSecret } = await service.app.applications.create('Mint');
  const mint = (secret: string) =>
    fetchReply(`${service.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
    });
  for (let index = 0; index < 5; index += 1) await mint('wrong');
  const { allowed, refused } = await hammer(110, () => mint(clientSecret));
  expect([allowed.length, refused.length]).toEqual([100, 10]);
  expect(new Set(allowed.map(({ status }) => status))).toEqual(new Set([200]));
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect((await mint('wrong')).status).toBe(429);
});

test('A9: unauthenticated callers are limited by address, except for health checks', async () => {
  const { allowed, refused } = await hammer(120, () => fetchReply(`${service.url}/connect/unknown`));
  expect([allowed.length, refused.length]).toEqual([100, 20]);
  expect(Object.fromEntries(refused[0]?.headers ?? [])).toMatchObject({
    'content-type': expect.stringContaining('text/html'),
    'retry-after': '1',
  });
  expect((await fetchReply(`${service.url}/sso/v1/oauth/conn_1/callback`)).status).toBe(429);
  expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
});

/** Returns the CPU time of one call in milliseconds, including the callers in this process. */
async function costOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

test('A9: a rate-limited call costs less CPU than a served call', TIMED, async () => {
  await connectAccount(service, 'workspace', 'measured');
  const [busy, { accessToken }] = [await newApplication(), await signIn(service)];
  const served = () =>
    fetchReply(`${service.url}/v1/proxy/workspace/measured/v1/users/me`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
  const ratios: number[] = [];
  await hammer(110, () => busy.call('GET', '/v1/connections'));
  for (let round = 0; round < 4; round += 1) {
    const refused = await costOf(40, () => busy.call('GET', '/v1/connections'));
    const called = await costOf(4, served);
    ratios.push(refused / called);
  }
  expect(Math.min(...ratios)).toBeLessThan(0.9);
});

test('refused calls are executions with their number and the limit, at each entry point', async () => {
  const application = await newApplication();
  await application.call('POST', '/v1/connections', {
    body: { connectionName: 'workspace', connector: 'workspace' },
  });
  const path = '/v1/proxy/workspace/ada/v1/users/4711';
  const proxied = await hammer(1000, () => application.call('GET', path));
  const executed = await hammer(10, () => executeTool(application, TOOL, { connectedAccountId: 'acct_1' }));
  const posted = { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } };
  const agents = await hammer(10, () => application.call('POST', '/mcp', posted));
  vi.advanceTimersByTime(10_000);
  const { items } = (await application.call('GET', '/v1/executions?status=429')).json<{
    items: readonly { readonly id: string; readonly kind: string; readonly count: number }[];
  }>();
  const sumOf = (test: Readonly<Record<string, unknown>>) =>
    items
      .filter((item) => expect.objectContaining(test).asymmetricMatch(item))
      .reduce((sum, { count }) => sum + count, 0);
  expect(proxied.refused.length).toBeGreaterThan(100);
  expect(sumOf({ kind: 'proxy', path: '/v1/users/{id}', connectionName: 'workspace' })).toBe(
    proxied.refused.length,
  );
  expect(sumOf({ kind: 'tool', toolName: TOOL })).toBe(executed.refused.length);
  expect(sumOf({ kind: 'tool' })).toBe(executed.refused.length + agents.refused.length);
  for (const { id } of items)
    expect((await application.call('GET', `/v1/executions/${id}`)).json()).toMatchObject({
      cause: { reason: 'application' },
    });
});

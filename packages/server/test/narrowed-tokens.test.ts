import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { narrowToken } from '../src/tenants/token-chain.js';
import type { TokenLimits } from '../src/tenants/token-limits.js';
import { type Application, fetchReply, type Reply, signIn } from './application.js';
import { addApplication } from './second-application.js';
import { connectAccount, type Service, startService } from './service.js';
import { rounds } from './support/rounds.js';

let service: Service;
let owner: Application;
let ids: Record<'ada' | 'bob' | 'video', string>;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'video'] });
  owner = await signIn(service);
  const [ada, bob, video] = [
    await connectAccount(service, 'calendar', 'ada'),
    await connectAccount(service, 'calendar', 'bob'),
    await connectAccount(service, 'video', 'ada'),
  ];
  ids = { ada: ada.id, bob: bob.id, video: video.id };
});
afterAll(() => service.stop());

interface Issued {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: string;
}

async function issue(limits: object = {}, kind: 'account' | 'agent' = 'agent'): Promise<Issued> {
  const body = { identifier: 'ada', ...(kind === 'agent' && { expiresIn: 600 }), ...limits };
  const reply = await owner.call('POST', `/v1/${kind}-tokens`, { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json();
}

const send = (token: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  fetchReply(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const ADA = { connectionName: 'calendar', identifier: 'ada' };
const BOB = { connectionName: 'calendar', identifier: 'bob' };
const LIST = 'calendar_list_calendars';
const EVENTS = 'calendar_list_events';
const CREATE = 'calendar_create_event';
const EVENT = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z', event_duration_minutes: 30 };
const execute = (token: string, toolName: string, toolInput: unknown = {}, account: object = ADA) =>
  send(token, 'POST', `/v1/tools/${toolName}/execute`, { ...account, toolInput });
const proxied = (
  token: string,
  path = '/calendar/v3/users/me/calendarList',
  method = 'GET',
  name = 'calendar/ada',
) => send(token, method, `/v1/proxy/${name}${path}`);

const codeOf = (reply: Reply) =>
  reply.json<{ error: { code: string; details?: { limit?: string } } }>().error;
function expectRefused(reply: Reply, limit?: string): void {
  expect(reply.status, reply.text).toBe(403);
  expect(reply.headers.get('svc-error')).toBe('not_permitted');
  if (limit !== undefined) expect(codeOf(reply).details?.limit).toBe(limit);
}

describe('T3: a token does what its application does as its accounts', () => {
  test('runs tools, by name and by id, and proxies', async () => {
    const { token } = await issue();
    for (const account of [ADA, { connectedAccountId: ids.ada }])
      expect((await execute(token, LIST, {}, account)).status).toBe(200);
    expect((await proxied(token)).status).toBe(200);
    expect((await execute(token, CREATE, EVENT)).status).toBe(200);
  });

  test('beside the hot path too', async () => {
    const { token } = await issue({ tools: [LIST] });
    const call = (toolName: string, key: string) =>
      fetchReply(`${service.url}/v1/tools/${toolName}/execute`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ ...ADA, toolInput: toolName === CREATE ? EVENT : {} }),
      });
    expect((await call(LIST, 'key-1')).status).toBe(200);
    expectRefused(await call(CREATE, 'key-2'), 'tools');
  });

  test('asks for the link of its own account, and whether it is authorized', async () => {
    const { token } = await issue({ identifier: 'new' }, 'account');
    const own = '/v1/connections/calendar/accounts/new';
    expect((await send(token, 'GET', own)).status).toBe(404);
    const link = await send(token, 'POST', `${own}/authorization-link`);
    expect(link.json<{ link: string }>().link).toContain('/connect/');
    const account = (await send(token, 'GET', own)).json<{ id: string; status: string }>();
    expect(account.status).toBe('unauthorized');
    expect((await send(token, 'GET', `/v1/accounts/${account.id}`)).status).toBe(200);
    expectRefused(await send(token, 'POST', `${own}/authorization-link`, { replace: true }));
  });
});

describe('T3: a token does nothing else', () => {
  test('learns nothing of accounts of others', async () => {
    const { token } = await issue();
    const refused = [
      execute(token, LIST, {}, BOB),
      execute(token, LIST, {}, { connectedAccountId: ids.bob }),
      execute(token, LIST, {}, { connectionName: 'calendar', identifier: 'nobody' }),
      proxied(token, undefined, 'GET', 'calendar/bob'),
      proxied(token, undefined, 'GET', 'calendar/nobody'),
      send(token, 'GET', '/v1/connections/calendar/accounts/bob'),
      send(token, 'GET', '/v1/connections/calendar/accounts/nobody'),
      send(token, 'GET', `/v1/accounts/${ids.bob}`),
      send(token, 'POST', '/v1/connections/calendar/accounts/bob/authorization-link'),
      send(token, 'POST', '/v1/connections/calendar/accounts/nobody/authorization-link'),
    ];
    for (const reply of await Promise.all(refused)) expectRefused(reply, 'identifier');
  });

  test('nothing of what is for the application', async () => {
    const { token, id } = await issue();
    const spec = await fetchReply(`${service.url}/openapi.json`);
    const { paths } = spec.json<{ paths: Record<string, Record<string, unknown>> }>();
    const allowed = [
      'get /v1/connections/{connectionName}/accounts/{identifier}',
      'get /v1/accounts/{id}',
      'post /v1/connections/{connectionName}/accounts/{identifier}/authorization-link',
      'post /v1/tools/{toolName}/execute',
    ];
    const operations = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/') && !path.startsWith('/v1/proxy/'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method, path })))
      .filter(({ method, path }) => !allowed.includes(`${method} ${path}`));
    expect(operations.length).toBeGreaterThan(20);
    for (const { method, path } of operations) {
      const filled = path.replace('{id}', id).replace(/\{\w+\}/g, 'calendar');
      expectRefused(await send(token, method.toUpperCase(), filled));
    }
  });

  test.each<{ title: string; limits: TokenLimits; limit: string; call: (token: string) => Promise<Reply> }>([
    {
      title: 'another connection',
      limits: { connections: ['video'] },
      limit: 'connections',
      call: (token) => execute(token, LIST),
    },
    {
      title: 'another account',
      limits: { accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => execute(token, LIST),
    },
    {
      title: 'a link of another account',
      limits: { accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => send(token, 'POST', '/v1/connections/video/accounts/ada/authorization-link'),
    },
    {
      title: 'a link of an account that has no id yet',
      limits: { identifier: 'none', accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => send(token, 'POST', '/v1/connections/video/accounts/none/authorization-link'),
    },
    {
      title: 'another tool',
      limits: { tools: [LIST] },
      limit: 'tools',
      call: (token) => execute(token, EVENTS, { calendar_id: 'primary' }),
    },
    {
      title: 'the proxy beside tools',
      limits: { tools: [LIST] },
      limit: 'tools',
      call: (token) => proxied(token),
    },
    {
      title: 'a tool that writes',
      limits: { readOnly: true },
      limit: 'readOnly',
      call: (token) => execute(token, CREATE, EVENT),
    },
    {
      title: 'a proxied request that writes',
      limits: { readOnly: true },
      limit: 'readOnly',
      call: (token) => proxied(token, undefined, 'POST'),
    },
    {
      title: 'another argument',
      limits: { arguments: { [EVENTS]: { calendar_id: { eq: 'primary' } } } },
      limit: 'arguments',
      call: (token) => execute(token, EVENTS, { calendar_id: 'team' }),
    },
    {
      title: 'another path',
      limits: { proxy: [{ path: '/calendar/v3/calendars/' }] },
      limit: 'proxy',
      call: (token) => proxied(token),
    },
    {
      title: 'another spelling of a path',
      limits: { proxy: [{ path: '/calendar/v3/users/' }] },
      limit: 'proxy',
      call: (token) => proxied(token, '/calendar/v3/%75sers/me/calendarList'),
    },
    {
      title: 'another method',
      limits: { proxy: [{ methods: ['GET'], path: '/' }] },
      limit: 'proxy',
      call: (token) => proxied(token, undefined, 'DELETE'),
    },
    {
      title: 'another audience',
      limits: { audience: 'MCP' },
      limit: 'audience',
      call: (token) => execute(token, LIST),
    },
  ])('$title', async ({ limits, limit, call }) => {
    const own = limits.audience === undefined ? limits : { audience: `${service.url}/mcp` };
    const issued = await issue({ ...own });
    expectRefused(await call(issued.token), limit);
    const { token } = await issue({ identifier: limits.identifier ?? 'ada' });
    // The same limits, added by a holder.
    expectRefused(await call(narrowToken(token, own)), limit);
  });

  test('takes the defaults of the tool for arguments that are given', async () => {
    const limits = { arguments: { [EVENTS]: { calendar_id: { in: ['primary'] } } } };
    const { token } = await issue(limits);
    expect((await execute(token, EVENTS, { calendar_id: 'primary' })).status).toBe(200);
  });

  test('lets a person be asked where it says so, and keeps the proxy from what nobody can be asked about', async () => {
    const { token } = await issue({ approve: 'always' });
    const reply = await execute(token, LIST);
    expect([reply.status, codeOf(reply).code]).toEqual([403, 'approval_required']);
    const { token: destructive } = await issue({ approve: 'destructive' });
    expect((await execute(destructive, LIST)).status).toBe(200);
    expect(codeOf(await execute(destructive, 'calendar_delete_event', { event_id: 'x' })).code).toBe(
      'approval_required',
    );
    expectRefused(await proxied(token), 'approve');
    expect((await proxied(destructive)).status).toBe(200);
    expectRefused(await proxied(destructive, '/calendar/v3/calendars', 'POST'), 'approve');
  });

  test('gets no answer that was kept for another token, or for the application', async () => {
    const headers = { 'idempotency-key': 'shared-key' };
    const body = { ...ADA, toolInput: {} };
    const path = `/v1/tools/${LIST}/execute`;
    expect((await owner.call('POST', path, { headers, body })).status).toBe(200);
    const { token } = await issue();
    const keyed = (shown: string) =>
      owner.call('POST', path, { headers: { ...headers, authorization: `Bearer ${shown}` }, body });
    expect((await keyed(token)).headers.get('idempotent-replayed')).toBeNull();
    expect((await keyed(token)).headers.get('idempotent-replayed')).toBe('true');
    expectRefused(await keyed(narrowToken(token, { tools: [] })), 'tools');
  });
});

describe('T2: a token ends', () => {
  const expectEnded = async (token: string) => {
    const reply = await execute(token, LIST);
    expect([reply.status, codeOf(reply).code]).toEqual([401, 'unauthorized']);
    expect((await proxied(token)).status).toBe(401);
    expect((await send(token, 'GET', '/v1/connections/calendar/accounts/ada')).status).toBe(401);
  };

  test('when it is revoked, with all that were made from it, and once', async () => {
    const { token, id } = await issue({}, 'account');
    const child = narrowToken(token, { readOnly: true });
    expect((await execute(child, LIST)).status).toBe(200);
    expect((await owner.call('DELETE', `/v1/agent-tokens/${id}`)).status).toBe(404);
    expect((await owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(204);
    await expectEnded(token);
    await expectEnded(child);
    expect((await owner.call('DELETE', `/v1/account-tokens/${id}`)).status).toBe(404);
  });

  test('when a holder said so', async () => {
    const { token } = await issue();
    await expectEnded(narrowToken(token, { expiresAt: 1 }));
  });

  test('with the client secret that it was asked for with', async () => {
    const { applications } = service.app;
    const { id, clientSecret } = await applications.addClientSecret(service.clientId);
    const other = await signIn({ ...service, clientSecret });
    const made = await other.call('POST', '/v1/agent-tokens', { body: { identifier: 'ada', expiresIn: 60 } });
    const { token } = made.json<Issued>();
    expect((await execute(token, LIST)).status).toBe(200);
    await applications.revokeClientSecret(service.clientId, id);
    await expectEnded(token);
  });

  test('never was when it was forged, or is of another application', async () => {
    const { token } = await issue();
    const [head, link, seal = ''] = token.split('.');
    await expectEnded(`${head}.${Buffer.from('{"identifier":"bob"}').toString('base64url')}.${seal}`);
    await expectEnded(`${head}.${link}.${seal.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`);
    await expectEnded(narrowToken(token, { everything: true } as object));
    const stranger = await addApplication(service);
    const foreign = await stranger.call('POST', '/v1/agent-tokens', {
      body: { identifier: 'ada', expiresIn: 60 },
    });
    const reply = await execute(foreign.json<Issued>().token, LIST, {}, { connectedAccountId: ids.ada });
    expect([reply.status, codeOf(reply).code]).toEqual([404, 'account_not_found']);
  });
});

describe('T4: calls are counted for all tokens that were made from one', () => {
  const statuses = async (tokens: readonly string[]) => {
    const replies = await Promise.all(tokens.map((token) => execute(token, LIST)));
    return replies.map(({ status }) => status);
  };

  test('however many ask at once', async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { token } = await issue({ maxCalls: 7 });
      const children = Array.from({ length: 30 }, (_, index) =>
        narrowToken(token, { maxCalls: 5 + (index % 2) }),
      );
      const answered = await statuses([...children, ...Array.from({ length: 5 }, () => token)]);
      expect(answered.filter((status) => status === 200)).toHaveLength(7);
      expect(answered.filter((status) => status === 403)).toHaveLength(28);
    }
  });

  test('a child has no more than it was given, and takes from its parent', async () => {
    const { token } = await issue({ maxCalls: 5 });
    const child = narrowToken(token, { maxCalls: 2 });
    const grandchild = narrowToken(child, { maxCalls: 99 });
    expect(await statuses([child])).toEqual([200]);
    expect(await statuses([grandchild])).toEqual([200]);
    expectRefused(await execute(child, LIST), 'maxCalls');
    expectRefused(await execute(grandchild, LIST), 'maxCalls');
    expectRefused(await proxied(child), 'maxCalls');
    expect([
      (await proxied(token)).status,
      ...(await statuses([token])),
      ...(await statuses([token])),
    ]).toEqual([200, 200, 200]);
    expectRefused(await execute(token, LIST), 'maxCalls');
  });

  test('what is refused counts nothing, and zero is none', async () => {
    const { token } = await issue({ maxCalls: 1 });
    expectRefused(await execute(narrowToken(token, { tools: [] }), LIST), 'tools');
    expectRefused(await execute(narrowToken(token, { maxCalls: 0 }), LIST), 'maxCalls');
    expect(await statuses([token])).toEqual([200]);
  });
});

describe('tokens are made, listed and told of', () => {
  test('each by its kind, newest first, without itself', async () => {
    const first = await issue({ tools: [LIST], maxCalls: 3 });
    const second = await issue({ readOnly: true });
    const list = await owner.call('GET', '/v1/agent-tokens?pageSize=2');
    const { items } = list.json<{ items: { id: string; limits: object; expiresAt: string }[] }>();
    expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(items[1]).toMatchObject({
      limits: { identifier: 'ada', tools: [LIST], maxCalls: 3 },
      expiresAt: first.expiresAt,
      revokedAt: null,
    });
    expect(list.text).not.toContain(first.token.split('.').at(-1));
    const account = await issue({}, 'account');
    expect((await owner.call('GET', '/v1/account-tokens')).text).toContain(account.id);
    expect((await owner.call('GET', '/v1/agent-tokens?pageSize=200')).text).not.toContain(account.id);
  });

  test.each([
    { title: 'a word that nobody knows', body: { identifier: 'ada', expiresIn: 60, sudo: true } },
    { title: 'no user', body: { expiresIn: 60 } },
    { title: 'no end', body: { identifier: 'ada' } },
    { title: 'an end too far', body: { identifier: 'ada', expiresIn: 366 * 24 * 3600 } },
    {
      title: 'a limit of an argument that says nothing',
      body: { identifier: 'ada', expiresIn: 60, arguments: { [LIST]: { x: {} } } },
    },
    {
      title: 'another service as audience',
      body: { identifier: 'ada', expiresIn: 60, audience: 'https://elsewhere.example' },
    },
    {
      title: 'more than fits into a header',
      body: { identifier: 'ada', expiresIn: 60, tools: Array.from({ length: 200 }, () => 'a'.repeat(100)) },
    },
  ])('not with $title', async ({ body }) => {
    const reply = await owner.call('POST', '/v1/agent-tokens', { body });
    expect([reply.status, codeOf(reply).code]).toEqual([400, 'invalid_request']);
  });

  test('an account token lives ten minutes, and a year at most', async () => {
    const { expiresAt } = await issue({}, 'account');
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(590_000);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(610_000);
    const reply = await owner.call('POST', '/v1/account-tokens', {
      body: { identifier: 'ada', expiresIn: 31_536_001 },
    });
    expect(reply.status).toBe(400);
  });
});

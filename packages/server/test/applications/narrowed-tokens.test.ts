import { describe, expect, test } from 'vitest';
import { narrowToken } from '../../src/tokens/token-chain.js';
import type { TokenLimits } from '../../src/tokens/token-limits.js';
import { fetchReply, type Reply } from '../support/service/application.js';
import {
  ADA,
  BOB,
  CREATE,
  codeOf,
  EVENT,
  EVENTS,
  expectRefused,
  LIST,
  openTokenStage,
} from '../support/service/token-stage.js';

const { now, issue, send, execute, proxied } = openTokenStage();

const NOBODY = { connectionName: 'calendar', identifier: 'none' };

/** Sends a batch of one request, in the multipart format of Google's client libraries. */
const batched = (token: string) =>
  fetchReply(`${now().service.url}/v1/proxy/calendar/ada/batch/calendar/v3`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/mixed; boundary=b' },
    body: '--b\nContent-Type: application/http\n\nGET /calendar/v3/users/me/calendarList\n\n--b--\n',
  });

describe('T3: a narrowed token', () => {
  test('runs tools by name and by id, and proxies', async () => {
    const { token } = await issue();
    for (const account of [ADA, { connectedAccountId: now().ids.ada }])
      expect((await execute(token, LIST, {}, account)).status).toBe(200);
    expect((await proxied(token)).status).toBe(200);
    expect((await execute(token, CREATE, EVENT)).status).toBe(200);
  });

  test('is also checked for requests that bypass the hot path', async () => {
    const { token } = await issue({ tools: [LIST] });
    const call = (toolName: string, key: string) =>
      fetchReply(`${now().service.url}/v1/tools/${toolName}/execute`, {
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

  test('gets the link of its own account and its authorization status', async () => {
    const { token } = await issue({ identifier: 'new' }, 'account');
    const own = '/v1/connections/calendar/accounts/new';
    expect((await send(token, 'GET', own)).status).toBe(404);
    const refused = await execute(token, LIST, {}, { connectionName: 'calendar', identifier: 'new' });
    const { code, details } = codeOf(refused);
    expect([refused.status, code]).toEqual([409, 'account_not_authorized']);
    expect((await proxied(token, undefined, 'GET', 'calendar/new')).headers.get('svc-error')).toBe(code);
    const link = await send(token, 'POST', details?.authorizationLinkPath ?? '');
    expect(link.json<{ link: string }>().link).toContain('/connect/');
    const account = (await send(token, 'GET', own)).json<{ id: string; status: string }>();
    expect(account.status).toBe('unauthorized');
    expect((await send(token, 'GET', `/v1/accounts/${account.id}`)).status).toBe(200);
    expectRefused(await send(token, 'POST', `${own}/authorization-link`, { replace: true }));
  });
});

describe('T3: the limits of a narrowed token', () => {
  test('hide the accounts of other users', async () => {
    const { token } = await issue();
    const refused = [
      execute(token, LIST, {}, BOB),
      execute(token, LIST, {}, { connectedAccountId: now().ids.bob }),
      execute(token, LIST, {}, { connectionName: 'calendar', identifier: 'nobody' }),
      proxied(token, undefined, 'GET', 'calendar/bob'),
      proxied(token, undefined, 'GET', 'calendar/nobody'),
      send(token, 'GET', '/v1/connections/calendar/accounts/bob'),
      send(token, 'GET', '/v1/connections/calendar/accounts/nobody'),
      send(token, 'GET', `/v1/accounts/${now().ids.bob}`),
      send(token, 'POST', '/v1/connections/calendar/accounts/bob/authorization-link'),
      send(token, 'POST', '/v1/connections/calendar/accounts/nobody/authorization-link'),
    ];
    for (const reply of await Promise.all(refused)) expectRefused(reply, 'identifier');
  });

  test('exclude every other operation of the application', async () => {
    const { token, id } = await issue();
    const spec = await fetchReply(`${now().service.url}/openapi.json`);
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
      title: 'a call as an account that has no id yet',
      limits: { identifier: 'none', accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => execute(token, LIST, {}, NOBODY),
    },
    {
      title: 'a dry run as an account that has no id yet',
      limits: { identifier: 'none', accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => execute(token, LIST, {}, { ...NOBODY, dryRun: true }),
    },
    {
      title: 'a proxied request as an account that has no id yet',
      limits: { identifier: 'none', accounts: ['acct_x'] },
      limit: 'accounts',
      call: (token) => proxied(token, undefined, 'GET', 'calendar/none'),
    },
    {
      title: 'a call as an account without consent',
      limits: { identifier: 'waiting', accounts: ['acct_x'] },
      limit: 'accounts',
      call: async (token) => {
        const name = { connectionName: 'calendar', identifier: 'waiting' };
        await now().owner.call('PUT', '/v1/connections/calendar/accounts/waiting', { body: {} });
        return execute(token, LIST, {}, name);
      },
    },
    {
      title: 'a call as an unknown account of another user',
      limits: {},
      limit: 'identifier',
      call: (token) => execute(token, LIST, {}, NOBODY),
    },
    {
      title: 'another tool',
      limits: { tools: [LIST] },
      limit: 'tools',
      call: (token) => execute(token, EVENTS, { calendar_id: 'primary' }),
    },
    {
      title: 'the proxy for a token with tools',
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
      title: 'another encoding of a path',
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
      title: 'a batch, which may contain other methods',
      limits: { proxy: [{ methods: ['GET', 'POST'], path: '/' }] },
      limit: 'proxy',
      call: (token) => batched(token),
    },
    {
      title: 'a batch with another encoding of its path',
      limits: { proxy: [{ methods: ['POST'], path: '/' }] },
      limit: 'proxy',
      call: (token) => proxied(token, '/v1.0/%24b%61tch', 'POST'),
    },
    {
      title: 'a batch, which may contain more calls',
      limits: { maxCalls: 5 },
      limit: 'maxCalls',
      call: (token) => batched(token),
    },
    {
      title: 'another audience',
      limits: { audience: 'MCP' },
      limit: 'audience',
      call: (token) => execute(token, LIST),
    },
  ])('$title', async ({ limits, limit, call }) => {
    const own = limits.audience === undefined ? limits : { audience: `${now().service.url}/mcp` };
    const issued = await issue({ ...own });
    expectRefused(await call(issued.token), limit);
    const { token } = await issue({ identifier: limits.identifier ?? 'ada' });
    // Checks that a call is also refused by limits that the holder of a token adds with `narrowToken`.
    expectRefused(await call(narrowToken(token, own)), limit);
  });

  test('allow a batch where its path is allowed, whatever it contains', async () => {
    const { token } = await issue({ proxy: [{ path: '/batch/calendar/v3' }] });
    const reply = await batched(token);
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('calendar#calendarList')]);
  });

  test('apply the defaults of the tool to arguments that are limited', async () => {
    const limits = { arguments: { [EVENTS]: { calendar_id: { in: ['primary'] } } } };
    const { token } = await issue(limits);
    expect((await execute(token, EVENTS, { calendar_id: 'primary' })).status).toBe(200);
  });

  test('allow calls that need an approval, and exclude the proxy where an approval is impossible', async () => {
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

  test('exclude responses stored for another token or for the application', async () => {
    const headers = { 'idempotency-key': 'shared-key' };
    const body = { ...ADA, toolInput: {} };
    const path = `/v1/tools/${LIST}/execute`;
    expect((await now().owner.call('POST', path, { headers, body })).status).toBe(200);
    const { token } = await issue();
    const keyed = (bearer: string) =>
      now().owner.call('POST', path, { headers: { ...headers, authorization: `Bearer ${bearer}` }, body });
    expect((await keyed(token)).headers.get('idempotent-replayed')).toBeNull();
    expect((await keyed(token)).headers.get('idempotent-replayed')).toBe('true');
    expectRefused(await keyed(narrowToken(token, { tools: [] })), 'tools');
  });
});

test.each([
  {
    title: 'tools',
    limits: { tools: [LIST, 'calendar_lst_events'] },
    says: 'unknown tools: "calendar_lst_events" (did you mean "calendar_list_events"?). GET /v1/tools lists the tools.',
  },
  {
    title: 'arguments',
    limits: { arguments: { nothing_like_it: { calendar_id: { eq: 'primary' } } } },
    says: 'unknown tools: "nothing_like_it". GET /v1/tools lists the tools.',
  },
  {
    title: 'approve',
    limits: { approve: ['calendar_lst_events'] },
    says: 'unknown tools: "calendar_lst_events" (did you mean "calendar_list_events"?).',
  },
  {
    title: 'connections',
    limits: { connections: ['calendar', 'calender', 'none'] },
    says: 'unknown connections: "calender" (did you mean "calendar"?), "none". GET /v1/connections lists',
  },
  {
    title: `arguments.${EVENTS}`,
    limits: { arguments: { [EVENTS]: { calender_id: { eq: 'primary' }, 'calendar_id.name': { eq: 1 } } } },
    says: `unknown inputs of ${EVENTS}: "calender_id" (did you mean "calendar_id"?), "calendar_id.name". GET /v1/tools/${EVENTS} returns`,
  },
])(
  'T3: unknown names in the limit $title are refused, with the name that is meant',
  async ({ title, limits, says }) => {
    for (const kind of ['agent', 'account']) {
      const body = { identifier: 'ada', expiresIn: 60, ...limits };
      const reply = await now().owner.call('POST', `/v1/${kind}-tokens`, { body });
      expect(reply.json()).toMatchObject({
        error: {
          code: 'invalid_request',
          message: expect.stringContaining(says),
          details: { errors: [{ field: title }] },
        },
      });
    }
  },
);

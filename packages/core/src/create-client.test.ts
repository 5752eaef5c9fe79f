import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { credentials, failure, fakeService, json } from '../test/fake-service.js';
import { createClient } from './create-client.js';
import { manage } from './manage.js';

beforeEach(() => {
  nock.disableNetConnect();
});

afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
  vi.unstubAllEnvs();
});

const token = () =>
  nock('https://svc.example')
    .post('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: 'app_1',
      client_secret: 'svc_sk_secret',
    })
    .reply(200, { access_token: 'svc_at_1', token_type: 'Bearer', expires_in: 900 });

const account = { connectionName: 'my_calendar', identifier: 'user/42@x' };
const accountPath = '/v1/connections/my_calendar/accounts/user%2F42%40x';
const LIST_TOOLS = { method: 'GET', path: '/v1/tools' };
const ENVIRONMENT = {
  SVC_ENVIRONMENT_URL: credentials.environmentUrl,
  SVC_CLIENT_ID: credentials.clientId,
  SVC_CLIENT_SECRET: credentials.clientSecret,
};
/** Account as the service returns it. Its fields `id`, `status` and `createdAt` must not appear in requests. */
const connectedAccount = {
  ...account,
  id: 'acct_1',
  status: 'unauthorized',
  createdAt: '2026-11-24T09:00:00Z',
};
const connection = { connectionName: 'my_calendar', connector: 'calendar' };

const operations: {
  title: string;
  run: (svc: ReturnType<typeof manage>) => Promise<unknown>;
  method: string;
  path: string;
  body?: nock.DataMatcherMap;
}[] = [
  {
    title: 'getAuthorizationLink',
    run: (svc) => svc.getAuthorizationLink(account),
    method: 'POST',
    path: `${accountPath}/authorization-link`,
    body: {},
  },
  {
    title: 'getAuthorizationLink to replace the upstream user',
    run: (svc) => svc.getAuthorizationLink({ ...connectedAccount, replace: true }),
    method: 'POST',
    path: `${accountPath}/authorization-link`,
    body: { replace: true },
  },
  {
    title: 'getOrCreateConnectedAccount',
    run: (svc) => svc.getOrCreateConnectedAccount(account),
    method: 'PUT',
    path: accountPath,
    body: {},
  },
  {
    title: 'getOrCreateConnectedAccount with a key',
    run: (svc) => svc.getOrCreateConnectedAccount({ ...connectedAccount, apiKey: 'key' }),
    method: 'PUT',
    path: accountPath,
    body: { apiKey: 'key' },
  },
  {
    title: 'getOrCreateConnectedAccount with imported tokens',
    run: (svc) =>
      svc.getOrCreateConnectedAccount({ ...account, accessToken: 'a', refreshToken: 'r', scopes: ['s'] }),
    method: 'PUT',
    path: accountPath,
    body: { accessToken: 'a', refreshToken: 'r', scopes: ['s'] },
  },
  {
    title: 'getOrCreateConnectedAccount with secondary credentials',
    run: (svc) => svc.getOrCreateConnectedAccount({ ...account, credentials: { scraper_token: 'token' } }),
    method: 'PUT',
    path: accountPath,
    body: { credentials: { scraper_token: 'token' } },
  },
  {
    title: 'executeTool',
    run: (svc) =>
      svc.executeTool({
        toolName: 'calendar_create_event',
        connectedAccountId: 'acct_1',
        toolInput: { a: [1] },
      }),
    method: 'POST',
    path: '/v1/tools/calendar_create_event/execute',
    body: { connectedAccountId: 'acct_1', toolInput: { a: [1] } },
  },
  {
    title: 'executeTool with versions',
    run: (svc) =>
      svc.executeTool({
        toolName: 'calendar_list_events',
        connectedAccountId: 'acct_1',
        toolInput: {},
        schemaVersion: '1.0.0',
        toolVersion: '1.2.0',
      }),
    method: 'POST',
    path: '/v1/tools/calendar_list_events/execute',
    body: { connectedAccountId: 'acct_1', toolInput: {}, schemaVersion: '1.0.0', toolVersion: '1.2.0' },
  },
  {
    title: 'call',
    run: (svc) => svc.call({ method: 'GET', path: '/v1/tools', queryParams: { connector: 'calendar' } }),
    method: 'GET',
    path: '/v1/tools?connector=calendar',
  },
  {
    title: 'connections.create',
    run: (svc) => svc.connections.create(connection),
    method: 'POST',
    path: '/v1/connections',
    body: connection,
  },
  {
    title: 'connections.get',
    run: (svc) => svc.connections.get('my_calendar'),
    method: 'GET',
    path: '/v1/connections/my_calendar',
  },
  {
    title: 'connections.update',
    run: (svc) => svc.connections.update('my_calendar', { scopes: ['a'] }),
    method: 'PATCH',
    path: '/v1/connections/my_calendar',
    body: { scopes: ['a'] },
  },
  {
    title: 'connections.list',
    run: (svc) => svc.connections.list({ pageSize: 5, pageToken: 'a b' }),
    method: 'GET',
    path: '/v1/connections?pageSize=5&pageToken=a+b',
  },
  {
    title: 'accounts.get by name',
    run: (svc) => svc.accounts.get(account),
    method: 'GET',
    path: accountPath,
  },
  {
    title: 'accounts.get by id',
    run: (svc) => svc.accounts.get({ id: 'acct_1' }),
    method: 'GET',
    path: '/v1/accounts/acct_1',
  },
  {
    title: 'accounts.revoke by name',
    run: (svc) => svc.accounts.revoke(account),
    method: 'POST',
    path: `${accountPath}/revoke`,
  },
  {
    title: 'accounts.revoke by id',
    run: (svc) => svc.accounts.revoke({ id: 'acct_1' }),
    method: 'POST',
    path: '/v1/accounts/acct_1/revoke',
  },
  {
    title: 'accounts.list',
    run: (svc) => svc.accounts.list({ connectionName: 'my_calendar', pageSize: 2 }),
    method: 'GET',
    path: '/v1/accounts?connectionName=my_calendar&pageSize=2',
  },
  {
    title: 'executions.get',
    run: (svc) => svc.executions.get('exec_1'),
    method: 'GET',
    path: '/v1/executions/exec_1',
  },
  {
    title: 'executions.list',
    run: (svc) => svc.executions.list({ connectionName: 'my_calendar', status: 502 }),
    method: 'GET',
    path: '/v1/executions?connectionName=my_calendar&status=502',
  },
];

test.each(operations)('$title sends $method $path', async ({ run, method, path, body }) => {
  token();
  const reply = { ok: true };
  nock('https://svc.example', { reqheaders: { authorization: 'Bearer svc_at_1' } })
    .intercept(path, method, body)
    .reply(200, reply);
  expect(await run(manage(createClient(credentials)))).toMatchObject(reply);
});

test.each([
  {
    title: 'connections.delete',
    path: '/v1/connections/my_calendar',
    run: (svc: ReturnType<typeof manage>) => svc.connections.delete('my_calendar'),
  },
  {
    title: 'accounts.delete',
    path: accountPath,
    run: (svc: ReturnType<typeof manage>) => svc.accounts.delete(account),
  },
])('$title resolves to undefined', async ({ path, run }) => {
  token();
  nock('https://svc.example').delete(path).reply(204);
  expect(await run(manage(createClient(credentials)))).toBeUndefined();
});

test('sends requests to the path of the environment URL', async () => {
  nock('https://host.example').get('/svc/v1/connections/c').reply(200, { id: 'con_1' });
  const svc = manage(createClient({ environmentUrl: 'https://host.example/svc/', accessToken: 'token' }));
  expect(await svc.connections.get('c')).toEqual({ id: 'con_1' });
});

test('reads its settings from the environment', async () => {
  vi.stubEnv('SVC_ENVIRONMENT_URL', credentials.environmentUrl);
  vi.stubEnv('SVC_CLIENT_ID', credentials.clientId);
  vi.stubEnv('SVC_CLIENT_SECRET', credentials.clientSecret);
  token();
  nock('https://svc.example').get('/v1/tools').reply(200, {});
  expect(await createClient().call({ method: 'GET', path: '/v1/tools' })).toEqual({});
});

describe('createClient with a missing setting', () => {
  test.each([
    { missing: 'environmentUrl', variable: 'SVC_ENVIRONMENT_URL' },
    { missing: 'clientId', variable: 'SVC_CLIENT_ID' },
    { missing: 'clientSecret', variable: 'SVC_CLIENT_SECRET' },
  ])(
    'rejects the first call with not_configured for $missing and names $variable',
    async ({ missing, variable }) => {
      vi.stubEnv(variable, '');
      const svc = createClient({ ...credentials, [missing]: undefined });
      await expect(svc.call(LIST_TOOLS)).rejects.toMatchObject({
        code: 'not_configured',
        message: expect.stringContaining(variable),
      });
    },
  );

  test.each(['localhost:4400', 'svc.example', 'ftp://svc.example', ' https://svc.example'])(
    'rejects the first call for the invalid environment URL %s',
    async (environmentUrl) => {
      const svc = createClient({ ...credentials, environmentUrl });
      await expect(svc.call(LIST_TOOLS)).rejects.toMatchObject({
        code: 'not_configured',
        message: expect.stringContaining(environmentUrl),
      });
    },
  );

  test('reads the environment at the first call, because a build imports the program without it', async () => {
    const svc = createClient();
    for (const [variable, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(variable, value);
    token();
    nock('https://svc.example').get('/v1/tools').reply(200, { ok: true });
    expect(await svc.call(LIST_TOOLS)).toEqual({ ok: true });
  });

  test('needs no client id and secret if it has an access token', async () => {
    nock('https://svc.example', { reqheaders: { authorization: 'Bearer t' } })
      .get('/v1/tools')
      .reply(200, {});
    const svc = createClient({ environmentUrl: 'https://svc.example', accessToken: 't' });
    expect(await svc.call(LIST_TOOLS)).toEqual({});
  });
});

test('sends the versions of the client and of Node in the user agent', async () => {
  token();
  nock('https://svc.example', { reqheaders: { 'user-agent': /^svc-core\/1\.2\.3 node\/\d+\./ } })
    .get('/v1/tools')
    .reply(200, { ok: true });
  expect(await createClient(credentials).call({ method: 'GET', path: '/v1/tools' })).toEqual({ ok: true });
});

describe('withOptions', () => {
  test('shares the token and merges its options with those of the client', async () => {
    token();
    const reqheaders = { authorization: 'Bearer svc_at_1', 'x-one': '1', 'x-two': '2' };
    nock('https://svc.example', { reqheaders }).get('/v1/tools').twice().reply(200, { ok: true });
    const svc = createClient({ ...credentials, headers: { 'x-one': '1', 'x-two': 'other' } });
    const other = svc.withOptions({ headers: { 'x-two': '2' } });
    const again = other.withOptions({ timeout: 1000 });
    const get = { method: 'GET', path: '/v1/tools' };
    expect([await other.call(get), await again.call(get)]).toEqual([{ ok: true }, { ok: true }]);
  });

  test('resets an undefined option to its default', async () => {
    const { svc, requests } = fakeService([() => failure(429, 'rate_limited')], { maxRetries: 0 });
    const again = svc.withOptions({ maxRetries: undefined });
    await expect(again.call({ method: 'GET', path: '/v1/x' })).rejects.toThrow();
    expect(requests).toHaveLength(3);
  });

  test('does not change the original client', async () => {
    const { svc, requests } = fakeService([() => failure(503, 'unavailable')], { maxRetries: 0 });
    const get = { method: 'GET', path: '/v1/tools' };
    await svc
      .withOptions({ maxRetries: 1 })
      .call(get)
      .catch(() => undefined);
    expect(requests).toHaveLength(2);
    await svc.call(get).catch(() => undefined);
    expect(requests).toHaveLength(3);
  });
});

test('calls the fetch of the caller with a URL and a reusable init object', async () => {
  const { svc, requests } = fakeService([() => json({})], {
    fetch: async (url, init) => {
      expect(url).toBe('https://svc.example/v1/connections/c');
      expect({ ...init }).toMatchObject({ method: 'PATCH', body: '{"scopes":[]}', redirect: 'manual' });
      expect(init.headers.get('authorization')).toBe('Bearer token');
      return json({ ok: true });
    },
  });
  const patch = { method: 'PATCH', path: '/v1/connections/c', body: { scopes: [] } };
  expect(await svc.call(patch)).toEqual({ ok: true });
  expect(requests).toHaveLength(0);
});

import type { InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { createApp } from '../../test/support/service/create-app.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';
import type { HealthModel } from '../health/health.js';
import { addAccountRoutes } from './account-routes.js';
import { addConnectionRoutes } from './connection-routes.js';

/** Fake that reports the state `not_tested` for the health of every item. */
const addTo: HealthModel['addTo'] = async (_, items) =>
  items.map((item) => ({ ...item, health: { state: 'not_tested' } }));

/** Creates the routes and two applications. Requests with the header `x-other` are sent as the second application. */
async function createRoutes() {
  const tenant = await createTenant();
  const other = await addApplication(tenant, 'Other');
  const app = await createApp(async (server) => {
    server.addHook('onRequest', async (request) => {
      request.applicationId = request.headers['x-other'] === undefined ? tenant.applicationId : other;
    });
    await server.register(
      async (own) => {
        addConnectionRoutes(own, { ...tenant, health: { addTo } });
        addAccountRoutes(own, tenant);
      },
      { prefix: '/v1' },
    );
  });
  const call = (
    method: InjectOptions['method'],
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ) => app.inject({ ...(method && { method }), url, headers, ...(body && { payload: body }) });
  return { ...tenant, call };
}

test('connections can be created, read, changed, listed and deleted', async () => {
  const { call } = await createRoutes();
  const created = await call('POST', '/v1/connections', { connectionName: 'new', connector: 'keyed' });
  expect(created.statusCode).toBe(201);
  expect(created.json()).toMatchObject({
    connectionName: 'new',
    authType: 'api_key',
    redirectUri: null,
    clientId: null,
  });
  expect((await call('GET', '/v1/connections/new')).json()).toEqual(created.json());
  const changed = await call('PATCH', '/v1/connections/new', { baseUrl: 'https://eu.example.com/' });
  expect(changed.json()).toMatchObject({ baseUrl: 'https://eu.example.com' });
  expect((await call('GET', '/v1/connections?pageSize=1')).json()).toMatchObject({
    items: [{ connectionName: 'mail' }],
    nextPageToken: expect.any(String),
  });
  const deleted = await call('DELETE', '/v1/connections/new');
  expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
  expect((await call('GET', '/v1/connections/new')).statusCode).toBe(404);
});

test('accounts can be created, read, listed and deleted', async () => {
  const { call } = await createRoutes();
  const path = `/v1/connections/mail/accounts/${encodeURIComponent('ada/ä@example.com')}`;
  const created = await call('PUT', path);
  expect(created.statusCode).toBe(201);
  expect(created.json()).toMatchObject({ identifier: 'ada/ä@example.com', status: 'unauthorized' });
  const again = await call('PUT', path, {});
  expect([again.statusCode, again.json()]).toEqual([200, created.json()]);
  const { id } = created.json<{ id: string }>();
  expect((await call('GET', path)).json()).toEqual(created.json());
  expect((await call('GET', `/v1/accounts/${id}`)).json()).toEqual(created.json());
  expect((await call('GET', '/v1/connections/mail/accounts')).json()).toEqual({ items: [created.json()] });
  expect((await call('DELETE', `/v1/accounts/${id}`)).statusCode).toBe(204);
  expect((await call('DELETE', path)).statusCode).toBe(404);
});

test('a path may contain the longest identifier', async () => {
  const { call } = await createRoutes();
  const identifier = 'ä'.repeat(128);
  const created = await call('PUT', `/v1/connections/mail/accounts/${encodeURIComponent(identifier)}`);
  expect(created.json()).toMatchObject({ identifier });
});

test('a key in the body authorizes the account and is in no response', async () => {
  const { call } = await createRoutes();
  await call('POST', '/v1/connections', { connectionName: 'keyed', connector: 'keyed' });
  const reply = await call('PUT', '/v1/connections/keyed/accounts/ada', { apiKey: 'canary-key' });
  expect(reply.json()).toMatchObject({ status: 'authorized' });
  expect(reply.body).not.toContain('canary-key');
});

test('a link can be created with and without a body', async () => {
  const { call } = await createRoutes();
  const path = '/v1/connections/mail/accounts/ada/authorization-link';
  for (const body of [undefined, {}, { replace: true }]) {
    const reply = await call('POST', path, body);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      link: expect.stringMatching(/^https:\/\/svc\.example\.com\/connect\/[\w-]{43}$/),
      expiresAt: '2026-11-20T09:30:00.000Z',
    });
  }
});

test.each([
  { title: 'an unknown field', body: { connectionName: 'a', connector: 'mail', colour: 'red' } },
  { title: 'a secret in the wrong type', body: { connectionName: 'a', connector: 'mail', clientSecret: 1 } },
  { title: 'a name in capitals', body: { connectionName: 'Mail', connector: 'mail' } },
  { title: 'a name with a slash', body: { connectionName: 'a/b', connector: 'mail' } },
  { title: 'no connector', body: { connectionName: 'a' } },
  {
    title: 'a client id with a line break',
    body: { connectionName: 'a', connector: 'mail', clientId: 'a\nb' },
  },
  { title: 'a scope with a space', body: { connectionName: 'a', connector: 'mail', scopes: ['a b'] } },
  {
    title: 'an endpoint of another scheme',
    body: { connectionName: 'a', connector: 'mail', tokenEndpoint: 'ftp://x' },
  },
])('a connection with $title is refused', async ({ body }) => {
  const { call } = await createRoutes();
  const reply = await call('POST', '/v1/connections', body);
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_request' } });
});

test.each([
  { title: 'another field', method: 'PUT', url: '/v1/connections/mail/accounts/ada', body: { token: 'x' } },
  { title: 'an empty key', method: 'PUT', url: '/v1/connections/mail/accounts/ada', body: { apiKey: '' } },
  {
    title: 'a key with a line break',
    method: 'PUT',
    url: '/v1/connections/mail/accounts/ada',
    body: { apiKey: 'a\nb' },
  },
  { title: 'an array body', method: 'PUT', url: '/v1/connections/mail/accounts/ada', body: [] },
  {
    title: 'a control character in the identifier',
    method: 'PUT',
    url: '/v1/connections/mail/accounts/a%0Ab',
    body: {},
  },
  { title: 'a page size of 0', method: 'GET', url: '/v1/connections?pageSize=0', body: undefined },
  { title: 'a page size of 201', method: 'GET', url: '/v1/connections?pageSize=201', body: undefined },
  { title: 'an unknown parameter', method: 'GET', url: '/v1/connections?size=1', body: undefined },
  { title: 'an empty change', method: 'PATCH', url: '/v1/connections/mail', body: {} },
  {
    title: 'a change of the connector',
    method: 'PATCH',
    url: '/v1/connections/mail',
    body: { connector: 'keyed' },
  },
] as const)('a request with $title is refused', async ({ method, url, body }) => {
  const { call } = await createRoutes();
  const reply = await call(method, url, body);
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_request' } });
});

const OPERATIONS: readonly {
  method: InjectOptions['method'] & string;
  path: (name: string, id: string) => string;
  body?: object;
}[] = [
  { method: 'GET', path: (name) => `/v1/connections/${name}` },
  { method: 'PATCH', path: (name) => `/v1/connections/${name}`, body: { scopes: [] } },
  { method: 'DELETE', path: (name) => `/v1/connections/${name}` },
  { method: 'GET', path: (name) => `/v1/connections/${name}/accounts` },
  { method: 'PUT', path: (name) => `/v1/connections/${name}/accounts/ada` },
  { method: 'GET', path: (name) => `/v1/connections/${name}/accounts/ada` },
  { method: 'DELETE', path: (name) => `/v1/connections/${name}/accounts/ada` },
  { method: 'POST', path: (name) => `/v1/connections/${name}/accounts/ada/authorization-link` },
  { method: 'GET', path: (_, id) => `/v1/accounts/${id}` },
  { method: 'DELETE', path: (_, id) => `/v1/accounts/${id}` },
];

test.each(OPERATIONS)(
  'another application gets the same response as for a missing object: $method $path',
  async ({ method, path, body }) => {
    const { call, connect, account } = await createRoutes();
    const { id } = await connect('ada');
    const asOther = { 'x-other': '1' };
    const missing = { name: 'nope', id: 'acct_000000000000000000000000' };
    const foreign = await call(method, path('mail', id), body, asOther);
    const unknown = await call(method, path(missing.name, missing.id), body, asOther);
    const comparable = ({ statusCode, headers, body: text }: typeof foreign) => {
      const { date: _, 'svc-request-id': requestId, 'content-length': __, ...rest } = headers;
      const names = text
        .replaceAll(id, 'ID')
        .replaceAll(missing.id, 'ID')
        .replaceAll(String(requestId), 'REQUEST');
      return { statusCode, rest, text: names.replaceAll('"mail', '"nope').replaceAll('\\"mail', '\\"nope') };
    };
    expect(comparable(foreign)).toEqual(comparable(unknown));
    expect(foreign.statusCode).toBe(404);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  },
);

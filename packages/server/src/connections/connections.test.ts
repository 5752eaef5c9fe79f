import { describe, expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';
import { testFetch } from '../../test/support/service/test-fetch.js';
import { createCore } from '../assembly/core.js';
import type { FetchInit } from '../http/fetch.js';

test('a connection returns its own settings or else those of the connector', async () => {
  const { connections, applicationId } = await createTenant();
  const connection = await connections.create(applicationId, { connectionName: 'plain', connector: 'mail' });
  expect(connection).toEqual({
    id: expect.stringMatching(/^conn_[0-9a-f]{24}$/),
    connectionName: 'plain',
    connector: 'mail',
    authType: 'oauth2',
    redirectUri: `https://svc.example.com/sso/v1/oauth/${connection.id}/callback`,
    clientId: null,
    hasClientSecret: false,
    scopes: ['read'],
    baseUrl: 'https://api.mail.example.com',
    region: null,
    hosts: {},
    authorizationEndpoint: 'https://auth.mail.example.com/authorize',
    tokenEndpoint: 'https://auth.mail.example.com/token',
    revocationEndpoint: 'https://auth.mail.example.com/revoke',
    allowUnannouncedPkce: false,
    approve: { default: 'never', tools: {} },
    storeUpstreamErrors: true,
    webhookUrl: null,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    etag: expect.any(String),
  });
});

test('a change keeps the settings that it does not name', async () => {
  const { connections, connection, clock, applicationId } = await createTenant();
  clock.advance(1000);
  const changed = await connections.update(applicationId, 'mail', {
    scopes: ['write'],
    baseUrl: 'https://mail.example.com/',
  });
  expect(changed).toEqual({
    ...connection,
    scopes: ['write'],
    baseUrl: 'https://mail.example.com',
    updatedAt: '2026-11-20T09:00:01.000Z',
    etag: expect.any(String),
  });
});

test('a client secret is stored encrypted and never returned', async () => {
  const { connections, database, connection, upstream, applicationId } = await createTenant();
  expect(connection.hasClientSecret).toBe(true);
  const visible = [
    connection,
    await connections.get(applicationId, 'mail'),
    await connections.list(applicationId, {}),
  ];
  const stored = await database.selectFrom('connections').selectAll().execute();
  expect(JSON.stringify([visible, stored])).not.toContain(upstream.clientSecret);
});

test('tokens of a custom token endpoint are not sent to the revocation endpoint of the connector', async () => {
  const { connections, applicationId } = await createTenant();
  const connection = await connections.create(applicationId, {
    connectionName: 'own',
    connector: 'mail',
    tokenEndpoint: 'https://other.example.com/token',
  });
  expect(connection.revocationEndpoint).toBeNull();
});

test.each([
  {
    title: 'an unknown connector',
    settings: { connector: 'nothing' },
    error: { code: 'connector_not_found' },
  },
  { title: 'an existing name', settings: { connectionName: 'mail' }, error: { code: 'conflict' } },
  {
    title: 'a client id for a connector with keys',
    settings: { connector: 'keyed', clientId: 'x' },
    error: {
      code: 'invalid_request',
      message: 'Keyed does not use OAuth, so its connections do not accept clientId. Omit this field.',
    },
  },
  {
    title: 'an authorization endpoint that is not https',
    settings: { authorizationEndpoint: 'http://auth.example.com/' },
    error: { code: 'invalid_request', message: expect.stringMatching(/^authorizationEndpoint is not https/) },
  },
  {
    title: 'a base URL with a user name',
    settings: { baseUrl: 'https://me@api.example.com' },
    error: { code: 'invalid_request', message: expect.stringMatching(/^baseUrl contains a user name/) },
  },
])('refuses $title', async ({ settings, error }) => {
  const { connections, applicationId } = await createTenant();
  const create = connections.create(applicationId, { connectionName: 'new', connector: 'mail', ...settings });
  await expect(create).rejects.toMatchObject(error);
});

test('lists connections by name in pages', async () => {
  const { connections, applicationId } = await createTenant();
  for (const connectionName of ['c', 'a', 'b']) {
    await connections.create(applicationId, { connectionName, connector: 'keyed' });
  }
  const first = await connections.list(applicationId, { pageSize: 2 });
  const second = await connections.list(applicationId, { pageSize: 2, pageToken: first.nextPageToken });
  expect([first, second].map(({ items }) => items.map((item) => item.connectionName))).toEqual([
    ['a', 'b'],
    ['c', 'mail'],
  ]);
  expect(second.nextPageToken).toBeUndefined();
});

test.each([
  '',
  'nonsense',
  Buffer.from('{}').toString('base64url'),
  Buffer.from('["a","b"]').toString('base64url'),
])('refuses the page token %j', async (pageToken) => {
  const { connections, applicationId } = await createTenant();
  await expect(connections.list(applicationId, { pageToken })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test("another application's connection does not exist", async () => {
  const tenant = await createTenant();
  const other = await addApplication(tenant, 'Other');
  const missing = {
    code: 'connection_not_found',
    message: expect.stringMatching(/^There is no connection "mail"/),
  };
  const { connections } = tenant;
  await expect(connections.get(other, 'mail')).rejects.toMatchObject(missing);
  await expect(connections.update(other, 'mail', { scopes: [] })).rejects.toMatchObject(missing);
  await expect(connections.delete(other, 'mail')).rejects.toMatchObject(missing);
  expect(await connections.list(other, {})).toEqual({ items: [] });
  expect(await connections.create(other, { connectionName: 'mail', connector: 'mail' })).toMatchObject({
    clientId: null,
  });
});

test('deleting a connection revokes the access of every account', async () => {
  const { connections, connect, upstream, storage, applicationId } = await createTenant();
  const accounts = [];
  for (let user = 1; user <= 12; user += 1)
    accounts.push(await connect(`user_${user}`, { subject: `user_${user}` }));
  await connections.delete(applicationId, 'mail');
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).toHaveLength(12);
  for (const { id } of accounts) expect(await storage.accounts.find(applicationId, id)).toBeUndefined();
});

test('deleting a connection revokes the access of an account that is connected meanwhile', async () => {
  const { connect, database, given, storage, upstream, applicationId } = await createTenant();
  let isLate = false;
  const list: typeof storage.accounts.list = async (...query) => {
    const found = await storage.accounts.list(...query);
    if (found.length === 0 && !isLate) {
      isLate = true;
      await connect('ada');
    }
    return found;
  };
  const { connections } = createCore({
    ...given,
    storage: { ...storage, accounts: { ...storage.accounts, list } },
  });
  await connections.delete(applicationId, 'mail');
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).toHaveLength(1);
  expect(await database.selectFrom('connections').selectAll().execute()).toEqual([]);
});

test.each([
  { title: 'at once', responseMs: () => 0, requested: 25 * 3, notRequested: 0 },
  { title: 'after 10 s each', responseMs: () => 10_000, requested: 8 * 3, notRequested: 17 },
  {
    title: 'after 10 s each while the clock is set back by an hour',
    responseMs: (request: number) => (request === 15 ? -3_600_000 : 10_000),
    requested: 16 * 3,
    notRequested: 9,
  },
])(
  'O21: deletes all accounts of an upstream that fails $title, and stops asking it after a minute',
  async ({ responseMs, requested, notRequested }) => {
    const service: { clock?: Awaited<ReturnType<typeof createTenant>>['clock'] } = {};
    let requests = 0;
    const fetchOf = () => async (url: string | URL, init?: FetchInit) => {
      if (!String(url).endsWith('/revoke')) return testFetch(url, init);
      requests += 1;
      service.clock?.advance(responseMs(requests));
      return new Response(null, { status: 503 });
    };
    const tenant = await createTenant({ fetchOf });
    service.clock = tenant.clock;
    const { connections, connect, database, applicationId } = tenant;
    for (let user = 0; user < 25; user += 1) await connect(`user_${user}`, { subject: `user_${user}` });
    await connections.delete(applicationId, 'mail');
    expect(requests).toBe(requested);
    expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
    const events = await database
      .selectFrom('auditEvents')
      .select('reason')
      .where('action', '=', 'account.deleted')
      .execute();
    expect(events.filter(({ reason }) => reason?.startsWith('failed: '))).toHaveLength(25);
    expect(events.filter(({ reason }) => reason?.includes('no request was sent'))).toHaveLength(notRequested);
  },
);

describe('a connection whose connector was removed from the catalogue', () => {
  async function createOrphan() {
    const tenant = await createTenant();
    const { connect, database } = tenant;
    await connect('ada');
    await database.updateTable('connections').set({ connector: 'gone' }).execute();
    return tenant;
  }

  test('is listed and returned with the reason', async () => {
    const { connections, applicationId } = await createOrphan();
    const visible = {
      connectionName: 'mail',
      connector: 'gone',
      authType: null,
      redirectUri: null,
      webhookUrl: null,
      statusReason: 'connector_not_found',
    };
    expect(await connections.get(applicationId, 'mail')).toMatchObject(visible);
    expect(await connections.list(applicationId, {})).toMatchObject({ items: [visible] });
  });

  test('can be deleted with its accounts', async () => {
    const { connections, database, applicationId } = await createOrphan();
    await connections.delete(applicationId, 'mail');
    expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  test('cannot be changed', async () => {
    const { connections, applicationId } = await createOrphan();
    await expect(
      connections.update(applicationId, 'mail', { baseUrl: 'https://own.example.com' }),
    ).rejects.toMatchObject({ code: 'connector_not_found' });
  });
});

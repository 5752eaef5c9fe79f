import { expect, test } from 'vitest';
import { HOUR_MS } from '../../test/support/service/create-connected.js';
import { createDiscovered } from '../../test/support/service/create-discovered.js';
import { ENVIRONMENT_URL } from '../../test/support/service/create-tenant.js';

const RESOURCE = 'https://mcp.mail.example/mcp';
const REFUSED = () => ({ status: 401, body: { error: 'invalid_client' } });

test('O14: 50 simultaneous first users cause one registration and one discovery', async () => {
  const { links, applicationId, registrations, discoveries, begin, browser, authorize } =
    await createDiscovered();
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, user) =>
      links.create(applicationId, { connectionName: 'mail', identifier: `user_${user}` }),
    ),
  );
  await Promise.all(
    made.map(({ link }) => authorize.begin(link.slice(`${ENVIRONMENT_URL}/connect/`.length), browser)),
  );
  await begin('one more');
  expect([registrations(), discoveries()]).toEqual([1, 1]);
});

test('O15: the authorization requests the scopes of the challenge, and every request names the resource', async () => {
  const { begin, complete, upstream, clock, credentials, resolve, applicationId, refreshes } =
    await createDiscovered();
  const { redirectTo } = await begin('ada');
  const { searchParams } = new URL(redirectTo);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    scope: 'read',
    resource: RESOURCE,
    code_challenge_method: 'S256',
  });
  await complete(upstream.approve(redirectTo));
  clock.advance(2 * HOUR_MS);
  await credentials.current(
    await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  );
  clock.advance(2 * HOUR_MS);
  await credentials.current(
    await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  );
  expect(upstream.tokenRequests().map(({ parameters }) => parameters['resource'])).toEqual([
    RESOURCE,
    RESOURCE,
    RESOURCE,
  ]);
  expect(new Set(refreshes().map(({ parameters }) => parameters['refresh_token'])).size).toBe(2);
});

test('a registration is stored encrypted', async () => {
  const { connect, database, upstream } = await createDiscovered();
  await connect('ada');
  const rows = await database.selectFrom('clientRegistrations').selectAll().execute();
  expect(rows).toMatchObject([{ issuer: 'https://auth.mail.example', clientId: upstream.clientId }]);
  expect(JSON.stringify(rows)).not.toContain(upstream.clientSecret);
});

test('O14: a client is registered again when its client secret has expired', async () => {
  const { connect, said, clock, upstream, registrations } = await createDiscovered();
  const response = {
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
    client_secret_expires_at: Math.floor(clock.now() / 1000) + 3600,
    token_endpoint_auth_method: 'client_secret_post',
  };
  said.registrations.push(Response.json(response, { status: 201 }));
  await connect('ada');
  expect(registrations()).toBe(1);
  clock.advance(HOUR_MS);
  await connect('ada');
  expect(registrations()).toBe(2);
});

test('O14: a client is registered again once when the server no longer knows it', async () => {
  const { connect, clock, credentials, upstream, registrations, connections, applicationId } =
    await createDiscovered();
  const resolved = await connect('ada');
  clock.advance(2 * HOUR_MS);
  upstream.script(REFUSED, REFUSED);
  await credentials.current(resolved);
  expect(registrations()).toBe(2);
  expect(await connections.get(applicationId, 'mail')).not.toHaveProperty('statusReason');
});

test('R1: a refresh token is not sent again with a new client after another process began to use it', async () => {
  const { connect, clock, credentials, refreshes, row, storage, upstream } = await createDiscovered();
  const resolved = await connect('ada');
  clock.advance(2 * HOUR_MS);
  upstream.script(REFUSED, async () => {
    await storage.accounts.markRefresh(await row('ada'), clock.now() + 1);
    return REFUSED();
  });
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  expect(refreshes()).toHaveLength(1);
});

test('O14: registration stops when the server refuses every client', async () => {
  const { connect, clock, credentials, upstream, registrations, connections, applicationId, account } =
    await createDiscovered();
  const resolved = await connect('ada');
  clock.advance(2 * HOUR_MS);
  upstream.script(REFUSED, REFUSED, REFUSED);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'connection_not_configured' });
  clock.advance(HOUR_MS);
  upstream.script(REFUSED, REFUSED);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'connection_not_configured' });
  expect(registrations()).toBe(2);
  expect(await connections.get(applicationId, 'mail')).toMatchObject({ statusReason: 'invalid_client' });
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

test('a user whose code belongs to a forgotten client has to start again with a new client', async () => {
  const { begin, complete, connect, upstream, registrations, connections, applicationId } =
    await createDiscovered();
  const { redirectTo } = await begin('ada');
  upstream.script(REFUSED, REFUSED);
  await expect(complete(upstream.approve(redirectTo))).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('start again'),
  });
  await connect('ada');
  expect(registrations()).toBe(2);
  expect(await connections.get(applicationId, 'mail')).not.toHaveProperty('statusReason');
});

test.each(['invalid_client', 'unauthorized_client'])(
  'O14: %s in a callback, which may be forged, does not discard the client',
  async (error) => {
    const { begin, complete, connect, upstream, registrations, connections, applicationId } =
      await createDiscovered();
    await connect('ada');
    const callback = upstream.deny((await begin('mallory')).redirectTo);
    callback.searchParams.set('error', error);
    await expect(complete(callback)).rejects.toMatchObject({ code: 'forbidden' });
    await connect('grace');
    expect(registrations()).toBe(1);
    expect(await connections.get(applicationId, 'mail')).not.toHaveProperty('statusReason');
  },
);

test.each(['invalid_client', 'unauthorized_client'])(
  'O14: %s for the code or the refresh token of one user does not discard the client',
  async (error) => {
    const {
      begin,
      complete,
      connect,
      clock,
      credentials,
      upstream,
      registrations,
      connections,
      applicationId,
    } = await createDiscovered();
    const ada = await connect('ada');
    const refuseOnce = () => upstream.script(() => ({ status: 401, body: { error } }));
    const { redirectTo } = await begin('mallory');
    refuseOnce();
    await expect(complete(upstream.approve(redirectTo))).rejects.toMatchObject({ code: 'forbidden' });
    clock.advance(2 * HOUR_MS);
    refuseOnce();
    await expect(credentials.current(ada)).rejects.toMatchObject({ code: 'unavailable' });
    await connect('grace');
    expect(registrations()).toBe(1);
    expect(await connections.get(applicationId, 'mail')).not.toHaveProperty('statusReason');
  },
);

test('O14: a registration accepts a client secret with a very late expiry', async () => {
  const { connect, said, upstream, database } = await createDiscovered();
  const response = {
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
    client_secret_expires_at: 1e300,
    token_endpoint_auth_method: 'client_secret_post',
  };
  said.registrations.push(Response.json(response, { status: 201 }));
  await connect('ada');
  const rows = await database.selectFrom('clientRegistrations').select('expiresAt').execute();
  expect(rows).toEqual([{ expiresAt: null }]);
});

test('O14: a token of one issuer is not sent to another, where a new client is registered', async () => {
  const { connect, said, clock, credentials, resolve, applicationId, refreshes, registrations, account } =
    await createDiscovered();
  const resolved = await connect('ada');
  said.issuer = 'https://other.mail.example';
  clock.advance(2 * HOUR_MS);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(refreshes()).toEqual([]);
  expect(await account('ada')).toMatchObject({ status: 'reauthorization_required' });
  await connect('ada');
  expect(registrations()).toBe(2);
  await credentials.current(
    await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  );
});

test.each([
  { title: 'an outage', status: 503, code: 'unavailable' },
  { title: 'no metadata', status: 404, code: 'connection_not_configured' },
])('discovery failures are reported before the user is redirected: $title', async ({ status, code }) => {
  const { said, links, applicationId, discoveries } = await createDiscovered();
  const create = () => links.create(applicationId, { connectionName: 'mail', identifier: 'ada' });
  said.resourceStatus = status;
  await expect(create()).rejects.toMatchObject({ code });
  said.resourceStatus = 200;
  await create();
  expect(discoveries()).toBe(2);
});

test('discovery is repeated after a failed refresh', async () => {
  const { connect, clock, credentials, upstream, discoveries } = await createDiscovered();
  const resolved = await connect('ada');
  clock.advance(2 * HOUR_MS);
  const before = discoveries();
  upstream.script(() => ({ status: 404 }));
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(60_000);
  await credentials.current(resolved);
  expect(discoveries() - before).toBe(2);
});

test('a refused registration reports the reason of the server', async () => {
  const { said, links, applicationId } = await createDiscovered();
  said.registrations.push(Response.json({ error: 'invalid_redirect_uri' }, { status: 400 }));
  await expect(
    links.create(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  ).rejects.toMatchObject({
    code: 'connection_not_configured',
    message: expect.stringContaining('invalid_redirect_uri'),
  });
});

test('tokens are revoked at the discovered server', async () => {
  const { connect, accounts, applicationId, upstream } = await createDiscovered();
  const { id } = await connect('ada');
  await accounts.deleteById(applicationId, id);
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).toHaveLength(1);
});

test.each(['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'])(
  'a connection with discovery refuses %s',
  async (field) => {
    const { connections, applicationId } = await createDiscovered();
    await expect(
      connections.update(applicationId, 'mail', { [field]: 'https://a.example' }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(field) });
  },
);

test('O9: a server that does not announce PKCE is used with PKCE when the connection allows it', async () => {
  const { begin, said, connections, applicationId } = await createDiscovered();
  said.metadata = { code_challenge_methods_supported: undefined };
  await expect(begin('ada')).rejects.toMatchObject({
    code: 'connection_not_configured',
    message: expect.stringMatching(
      /does not announce PKCE .+ send \{"allowUnannouncedPkce":true\} with PATCH /,
    ),
    details: { reason: 'pkce_not_announced' },
  });
  await connections.update(applicationId, 'mail', { allowUnannouncedPkce: true });
  const { redirectTo } = await begin('ada');
  expect(new URL(redirectTo).searchParams.get('code_challenge_method')).toBe('S256');
});

test('R7: an account keeps its access while discovery selects another server of the list', async () => {
  const { connect, said, clock, credentials, resolve, applicationId, account, refreshes } =
    await createDiscovered();
  await connect('ada');
  said.second = 'https://auth.other.example';
  said.serverStatus = 500;
  clock.advance(2 * HOUR_MS);
  const current = async () =>
    credentials
      .current(await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }))
      .then(
        () => 'refreshed',
        ({ code }) => code,
      );
  expect(await current()).toBe('unavailable');
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
  expect(refreshes()).toEqual([]);
  said.serverStatus = 200;
  clock.advance(HOUR_MS);
  expect(await current()).toBe('refreshed');
});

import { expect, test } from 'vitest';
import { HOUR_MS } from '../../test/support/create-connected.js';
import { createDiscovered } from '../../test/support/create-discovered.js';
import { ENVIRONMENT_URL } from '../../test/support/create-tenant.js';

const RESOURCE = 'https://mcp.mail.example/mcp';
const REFUSED = () => ({ status: 401, body: { error: 'invalid_client' } });

const forbidden = (header: string) => ({ status: 403, operation: 'tools/call read', header });

test('O14: one registration and one discovery serve 50 first users who come at once', async () => {
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

test('O15: asks for the scopes of the challenge, and names the resource in every request', async () => {
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
  await credentials.current(await resolve.byIdentifier(applicationId, 'mail', 'ada'));
  clock.advance(2 * HOUR_MS);
  await credentials.current(await resolve.byIdentifier(applicationId, 'mail', 'ada'));
  expect(upstream.tokenRequests().map(({ parameters }) => parameters['resource'])).toEqual([
    RESOURCE,
    RESOURCE,
    RESOURCE,
  ]);
  expect(new Set(refreshes().map(({ parameters }) => parameters['refresh_token'])).size).toBe(2);
});

test('keeps what the server answered encrypted', async () => {
  const { connect, database, upstream } = await createDiscovered();
  await connect('ada');
  const rows = await database.selectFrom('clientRegistrations').selectAll().execute();
  expect(rows).toMatchObject([{ issuer: 'https://auth.mail.example', clientId: upstream.clientId }]);
  expect(JSON.stringify(rows)).not.toContain(upstream.clientSecret);
});

test('O14: registers again when the client secret has ended', async () => {
  const { connect, said, clock, upstream, registrations } = await createDiscovered();
  const answer = {
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
    client_secret_expires_at: Math.floor(clock.now() / 1000) + 3600,
    token_endpoint_auth_method: 'client_secret_post',
  };
  said.registrations.push(Response.json(answer, { status: 201 }));
  await connect('ada');
  expect(registrations()).toBe(1);
  clock.advance(HOUR_MS);
  await connect('ada');
  expect(registrations()).toBe(2);
});

test('O14: registers again, once, when the server does not know the client any more', async () => {
  const { connect, clock, credentials, upstream, registrations, connections, applicationId } =
    await createDiscovered();
  const resolved = await connect('ada');
  clock.advance(2 * HOUR_MS);
  upstream.script(REFUSED, REFUSED);
  await credentials.current(resolved);
  expect(registrations()).toBe(2);
  expect(await connections.get(applicationId, 'mail')).not.toHaveProperty('statusReason');
});

test('O14: does not register for ever where every client is refused', async () => {
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

test('a user whose code the forgotten client brought back starts again, with a new client', async () => {
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
  'O14: %s in a callback, which whoever has the browser may have written, takes the client from nobody',
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
  'O14: %s for the code or the refresh token of one user takes the client from nobody',
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

test('O14: takes a registration whose secret ends after all time', async () => {
  const { connect, said, upstream, database } = await createDiscovered();
  const answer = {
    client_id: upstream.clientId,
    client_secret: upstream.clientSecret,
    client_secret_expires_at: 1e300,
    token_endpoint_auth_method: 'client_secret_post',
  };
  said.registrations.push(Response.json(answer, { status: 201 }));
  await connect('ada');
  const rows = await database.selectFrom('clientRegistrations').select('expiresAt').execute();
  expect(rows).toEqual([{ expiresAt: null }]);
});

test('O14: shows no token of one issuer to another, and registers there anew', async () => {
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
  await credentials.current(await resolve.byIdentifier(applicationId, 'mail', 'ada'));
});

test.each([
  { title: 'an outage', status: 503, code: 'unavailable' },
  { title: 'no metadata', status: 404, code: 'connection_not_configured' },
])('says before the user is asked that discovery failed: $title', async ({ status, code }) => {
  const { said, links, applicationId, discoveries } = await createDiscovered();
  const create = () => links.create(applicationId, { connectionName: 'mail', identifier: 'ada' });
  said.resourceStatus = status;
  await expect(create()).rejects.toMatchObject({ code });
  said.resourceStatus = 200;
  await create();
  expect(discoveries()).toBe(2);
});

test('asks for everything again after a refresh that failed', async () => {
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

test('says which reason the server gave for refusing the registration', async () => {
  const { said, links, applicationId } = await createDiscovered();
  said.registrations.push(Response.json({ error: 'invalid_redirect_uri' }, { status: 400 }));
  await expect(
    links.create(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  ).rejects.toMatchObject({
    code: 'connection_not_configured',
    message: expect.stringContaining('invalid_redirect_uri'),
  });
});

test('revokes at the server that was discovered', async () => {
  const { connect, accounts, applicationId, upstream } = await createDiscovered();
  const { id } = await connect('ada');
  await accounts.deleteById(applicationId, id);
  expect(upstream.requests.filter(({ path }) => path === '/revoke')).toHaveLength(1);
});

test.each(['authorizationEndpoint', 'tokenEndpoint', 'revocationEndpoint'])(
  'a connection takes no %s: it is discovered',
  async (field) => {
    const { connections, applicationId } = await createDiscovered();
    await expect(
      connections.update(applicationId, 'mail', { [field]: 'https://a.example' }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(field) });
  },
);

test('O16: asks for the scopes of the connection where it names some', async () => {
  const { connections, applicationId, begin } = await createDiscovered();
  await connections.update(applicationId, 'mail', { scopes: ['write'] });
  const { redirectTo } = await begin('ada');
  expect(new URL(redirectTo).searchParams.get('scope')).toBe('write');
});

test('O16: a call that needs more scopes leads to a link that asks for the old and the new', async () => {
  const { connect, hearChallenge, begin, account, credentials, row } = await createDiscovered();
  const resolved = await connect('ada');
  await expect(
    hearChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="write admin"')),
  ).rejects.toMatchObject({
    code: 'account_not_authorized',
    details: {
      requiredScopes: ['write', 'admin'],
      authorizationLinkPath: '/v1/connections/mail/accounts/ada/authorization-link',
    },
  });
  await credentials.current(resolved);
  expect(await account('ada')).toMatchObject({ status: 'authorized', scopes: ['read'] });
  const { redirectTo } = await begin('ada');
  expect(new URL(redirectTo).searchParams.get('scope')).toBe('read write admin');
  await connect('ada');
  expect(await row('ada')).toMatchObject({ wantedScopes: null, scopes: '["read","write","admin"]' });
  await expect(
    hearChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="delete"')),
  ).rejects.toMatchObject({ code: 'account_not_authorized' });
  const again = await begin('ada');
  expect(new URL(again.redirectTo).searchParams.get('scope')).toBe('read write admin delete');
});

test.each([
  { title: 'that is about something else', challenge: 'Bearer error="invalid_token", scope="write"' },
  { title: 'that wants what was granted', challenge: 'Bearer error="insufficient_scope", scope="read"' },
  { title: 'that wants nothing', challenge: 'Bearer error="insufficient_scope"' },
])('O16: asks no user again for a challenge $title', async ({ challenge }) => {
  const { connect, hearChallenge, row } = await createDiscovered();
  await hearChallenge(await connect('ada'), forbidden(challenge));
  expect(await row('ada')).toMatchObject({ wantedScopes: null });
});

test('O16: asks for more scopes at most twice for one operation', async () => {
  const { connect, hearChallenge, row } = await createDiscovered();
  const demand = async (scope: string, operation = 'tools/call read') =>
    hearChallenge(await connect('ada'), {
      status: 403,
      operation,
      header: `Bearer error="insufficient_scope", scope="${scope}"`,
    });
  await expect(demand('first')).rejects.toMatchObject({ code: 'account_not_authorized' });
  await expect(demand('second')).rejects.toMatchObject({ code: 'account_not_authorized' });
  await demand('third');
  expect(await row('ada')).toMatchObject({ wantedScopes: null });
  await expect(demand('third', 'tools/call write')).rejects.toMatchObject({ code: 'account_not_authorized' });
});

test('O16: calls before the user has approved are one attempt, however many they are', async () => {
  const { connect, hearChallenge } = await createDiscovered();
  const resolved = await connect('ada');
  for (let calls = 0; calls < 5; calls += 1) {
    await expect(
      hearChallenge(resolved, forbidden('Bearer error="insufficient_scope", scope="write admin"')),
    ).rejects.toMatchObject({ code: 'account_not_authorized' });
  }
});

const REFUSED_TOKEN = { status: 401, operation: 'tools/call read', header: 'Bearer error="invalid_token"' };

test('asks again who guards the server when it refuses a token', async () => {
  const { connect, hearChallenge, begin, account, discoveries } = await createDiscovered();
  await hearChallenge(await connect('ada'), REFUSED_TOKEN);
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
  const before = discoveries();
  await begin('ada');
  expect(discoveries() - before).toBe(1);
});

test('a refused token that nothing can renew ends the access', async () => {
  const { connect, hearChallenge, upstream, account } = await createDiscovered();
  upstream.script(() => ({ status: 200, body: { access_token: 'once', token_type: 'bearer' } }));
  await expect(hearChallenge(await connect('ada'), REFUSED_TOKEN)).rejects.toMatchObject({
    code: 'account_not_authorized',
    details: { status: 'reauthorization_required', statusReason: 'token_refused' },
  });
  expect(await account('ada')).toMatchObject({ status: 'reauthorization_required' });
});

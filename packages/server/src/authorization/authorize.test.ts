import { describe, expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';

const RESULT = /^https:\/\/svc\.example\.com\/connect\/result\/link_[0-9a-f]{24}$/;
const ADA = { connectionName: 'mail', identifier: 'ada' };

test('a consent stores the tokens encrypted and makes the account authorized', async () => {
  const { connect, account, credentials, database, upstream } = await createTenant();
  const resolved = await connect('ada', { subject: 'ada' });
  expect(await account('ada')).toMatchObject({ status: 'authorized', scopes: ['read'] });
  const { secret } = await credentials.current(resolved);
  expect(secret.reveal()).toMatch(/^access-ada-/);
  expect(upstream.tokenRequests()).toHaveLength(1);
  const stored = await database.selectFrom('accounts').selectAll().execute();
  expect(JSON.stringify(stored)).not.toMatch(/access-ada|refresh-ada/);
});

test('O1: a link contains no data of the upstream and can be opened repeatedly', async () => {
  const { links, authorize, applicationId } = await createTenant();
  const { link, expiresAt } = await links.create(applicationId, ADA);
  expect(link).toMatch(/^https:\/\/svc\.example\.com\/connect\/[\w-]{43}$/);
  expect(expiresAt).toBe('2026-11-20T09:30:00.000Z');
  const token = link.split('/').at(-1) ?? '';
  for (let times = 0; times < 3; times += 1) {
    expect(await authorize.describe(token, undefined)).toMatchObject({
      applicationName: 'Acme Notes',
      connectorTitle: 'Mail',
      identifier: 'ada',
    });
  }
});

test('O1, O2, O3, O9: link tokens, cookies, states and verifiers have 256 bits and are stored hashed', async () => {
  const { begin, browser, database, upstream, complete } = await createTenant();
  const { token, redirectTo } = await begin('ada');
  const state = new URL(redirectTo).searchParams.get('state') ?? '';
  const stored = JSON.stringify([
    await database.selectFrom('authorizationLinks').selectAll().execute(),
    await database.selectFrom('authorizationFlows').selectAll().execute(),
  ]);
  await complete(upstream.approve(redirectTo));
  const verifier = upstream.tokenRequests()[0]?.parameters['code_verifier'] ?? '';
  for (const value of [token, state, browser, verifier]) {
    expect(value).toHaveLength(43);
    expect(stored).not.toContain(value);
  }
});

test('O9: the authorization request contains the scopes of the connection and an S256 challenge', async () => {
  const { begin, connection } = await createTenant();
  const { redirectTo } = await begin('ada');
  const query = Object.fromEntries(new URL(redirectTo).searchParams);
  expect(query).toEqual({
    prompt: 'consent',
    response_type: 'code',
    client_id: 'client',
    redirect_uri: connection.redirectUri,
    scope: 'read',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
});

describe('O1: a link', () => {
  test('is used up by one of 50 browsers that click simultaneously', async () => {
    const { links, authorize, applicationId } = await createTenant();
    const { link } = await links.create(applicationId, ADA);
    const token = link.split('/').at(-1) ?? '';
    const clicks = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => authorize.begin(token, `browser-${index}`)),
    );
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(authorize.describe(token, undefined)).rejects.toThrow(/^This link was already used/);
  });

  test('stays open for the browser that used it, for ten minutes', async () => {
    const { begin, authorize, browser, clock } = await createTenant();
    const { token } = await begin('ada');
    clock.advance(10 * 60_000 - 1);
    expect(await authorize.describe(token, browser)).toMatchObject({ identifier: 'ada' });
    const again = await authorize.begin(token, browser);
    expect(again.redirectTo).toContain('code_challenge');
    await expect(authorize.begin(token, 'other')).rejects.toThrow(/^This link was already used/);
    clock.advance(1);
    for (const outcome of [authorize.describe(token, browser), authorize.begin(token, browser)])
      expect(await outcome).toEqual({ redirectTo: expect.stringMatching(RESULT) });
  });

  test('expires after 30 minutes', async () => {
    const { links, authorize, browser, clock, applicationId } = await createTenant();
    const { link } = await links.create(applicationId, ADA);
    const token = link.split('/').at(-1) ?? '';
    clock.advance(30 * 60_000);
    await expect(authorize.describe(token, browser)).rejects.toThrow(/^This link has expired/);
    await expect(authorize.begin(token, browser)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    { title: 'an unknown connection', name: 'none', error: { code: 'connection_not_found' } },
    {
      title: 'a connection without a client id',
      name: 'empty',
      error: { code: 'connection_not_configured' },
    },
  ])('is not created for $title, and neither is an account', async ({ name, error }) => {
    const { links, connections, database, applicationId } = await createTenant();
    await connections.create(applicationId, { connectionName: 'empty', connector: 'mail' });
    await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
    await expect(
      links.create(applicationId, { connectionName: name, identifier: 'ada' }),
    ).rejects.toMatchObject(error);
    expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  test('is not created for the connection of another application', async () => {
    const tenant = await createTenant();
    const other = await addApplication(tenant, 'Other');
    await expect(tenant.links.create(other, ADA)).rejects.toMatchObject({ code: 'connection_not_found' });
  });
});

describe('O8: a second consent', () => {
  test('renews the access for the same user', async () => {
    const { connect, row } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    await connect('ada', { subject: 'ada' });
    const after = await row('ada');
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.refreshToken).not.toBe(before.refreshToken);
  });

  test('is refused for another user, and its tokens are revoked', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    await expect(connect('ada', { subject: 'bob' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^The user "ada" is already connected with another Mail account/),
    });
    expect(await row('ada')).toEqual(before);
    expect(upstream.requests.at(-1)).toMatchObject({
      path: '/revoke',
      parameters: { token: expect.stringMatching(/^refresh-bob-/) },
    });
  });

  test('replaces the account for another user when the link allows it', async () => {
    const { connect, row, credentials } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const account = await connect('ada', { subject: 'bob', replace: true });
    expect((await row('ada')).subject).toBe('bob');
    expect((await credentials.current(account)).secret.reveal()).toMatch(/^access-bob-/);
  });

  const withoutRefreshToken = (user: string | undefined) => () => ({
    status: 200,
    body: { access_token: 'access', token_type: 'Bearer', user },
  });

  test('keeps the refresh token of the same user when the response has none', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    upstream.script(withoutRefreshToken('ada'));
    await connect('ada', { subject: 'ada' });
    expect((await row('ada')).refreshToken).toBe(before.refreshToken);
  });

  test('deletes the refresh token of another user when the response has none', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    upstream.script(withoutRefreshToken('bob'));
    await connect('ada', { subject: 'bob', replace: true });
    expect((await row('ada')).refreshToken).toBeNull();
  });

  test('does not replace a known user when the response has no subject', async () => {
    const { connect, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    upstream.script(withoutRefreshToken(undefined));
    await expect(connect('ada')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('wins over a refresh in flight', async () => {
    const { connect, begin, complete, credentials, clock, upstream } = await createTenant();
    const account = await connect('ada');
    clock.advance(3_600_000);
    const callback = upstream.approve((await begin('ada')).redirectTo);
    const release = upstream.pause();
    const refreshing = credentials.current(account);
    await expect.poll(() => upstream.tokenRequests('refresh_token')).toHaveLength(1);
    const approving = complete(callback);
    release();
    const [refreshed] = await Promise.all([refreshing, approving]);
    const current = await credentials.current(account);
    expect(current.version).toBeGreaterThanOrEqual(refreshed.version);
    expect(upstream.tokenRequests('authorization_code')).toHaveLength(2);
    expect(upstream.tokenRequests('refresh_token')).toHaveLength(1);
  });
});

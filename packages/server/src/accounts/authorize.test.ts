import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../test/support/create-tenant.js';
import { addApplication } from '../../test/support/service-parts.js';

const ADA = { connectionName: 'mail', identifier: 'ada' };
const OTHER_BROWSER = randomBytes(32).toString('base64url');
const OVER = { code: 'forbidden', message: expect.stringMatching(/^This approval is over/) };

test('an approval stores the tokens encrypted and makes the account authorized', async () => {
  const { connect, account, credentials, database, upstream } = await createTenant();
  const resolved = await connect('ada', { subject: 'ada' });
  expect(await account('ada')).toMatchObject({ status: 'authorized', scopes: ['read'] });
  const { secret } = await credentials.current(resolved);
  expect(secret.reveal()).toMatch(/^access-ada-/);
  expect(upstream.tokenRequests()).toHaveLength(1);
  const stored = await database.selectFrom('accounts').selectAll().execute();
  expect(JSON.stringify(stored)).not.toMatch(/access-ada|refresh-ada/);
});

test('a link names nothing of the upstream and can be looked at many times', async () => {
  const { links, authorize, applicationId } = await createTenant();
  const { link, expiresAt } = await links.create(applicationId, ADA);
  expect(link).toMatch(/^https:\/\/svc\.example\.com\/connect\/[\w-]{43}$/);
  expect(expiresAt).toBe('2026-11-20T09:30:00.000Z');
  const token = link.split('/').at(-1) ?? '';
  for (let times = 0; times < 3; times += 1) {
    expect(await authorize.ask(token)).toEqual({
      applicationName: 'Acme Notes',
      connectorTitle: 'Mail',
      identifier: 'ada',
    });
  }
});

test('neither tokens, states, cookies nor verifiers are stored as they are', async () => {
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

test('asks the upstream for what the connection says', async () => {
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

describe('a link', () => {
  test('is used by one of 50 clicks', async () => {
    const { links, authorize, browser, applicationId } = await createTenant();
    const { link } = await links.create(applicationId, ADA);
    const token = link.split('/').at(-1) ?? '';
    const clicks = await Promise.allSettled(
      Array.from({ length: 50 }, () => authorize.begin(token, browser)),
    );
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(authorize.ask(token)).rejects.toThrow(/^This link has been used already/);
  });

  test('ends after 30 minutes', async () => {
    const { links, authorize, browser, clock, applicationId } = await createTenant();
    const { link } = await links.create(applicationId, ADA);
    const token = link.split('/').at(-1) ?? '';
    clock.advance(30 * 60_000);
    await expect(authorize.ask(token)).rejects.toThrow(/^This link has expired/);
    await expect(authorize.begin(token, browser)).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each([
    { title: 'an unknown connection', name: 'none', error: { code: 'connection_not_found' } },
    {
      title: 'a connection without a client id',
      name: 'empty',
      error: { code: 'connection_not_configured' },
    },
    {
      title: 'a connector with keys',
      name: 'keyed',
      error: { code: 'invalid_request', message: expect.stringMatching(/PUT the account with apiKey/) },
    },
  ])('is not made for $title, and neither is an account', async ({ name, error }) => {
    const { links, connections, database, applicationId } = await createTenant();
    await connections.create(applicationId, { connectionName: 'empty', connector: 'mail' });
    await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
    await expect(
      links.create(applicationId, { connectionName: name, identifier: 'ada' }),
    ).rejects.toMatchObject(error);
    expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  test('is not made for the connection of another application', async () => {
    const tenant = await createTenant();
    const other = await addApplication(tenant, 'Other');
    await expect(tenant.links.create(other, ADA)).rejects.toMatchObject({ code: 'connection_not_found' });
  });
});

interface Attack {
  readonly title: string;
  readonly attack: (tenant: Tenant, callback: URL) => Promise<unknown>;
}

const attacks: readonly Attack[] = [
  {
    title: "the victim's callback in the attacker's browser",
    attack: ({ complete }, callback) => complete(callback, { browser: OTHER_BROWSER }),
  },
  {
    title: 'a callback in a browser without the cookie',
    attack: ({ complete }, callback) => complete(callback, { browser: undefined }),
  },
  {
    title: 'a callback on the path of another connection of the same application',
    attack: async ({ complete, connections, applicationId }, callback) => {
      const other = await connections.create(applicationId, { connectionName: 'other', connector: 'mail' });
      return complete(callback, { connectionId: other.id });
    },
  },
  {
    title: 'a callback on the path of no connection',
    attack: ({ complete }, callback) => complete(callback, { connectionId: 'conn_none' }),
  },
  {
    title: 'an invented state',
    attack: ({ complete }, callback) => {
      callback.searchParams.set('state', randomBytes(32).toString('base64url'));
      return complete(callback);
    },
  },
  {
    title: 'no state',
    attack: ({ complete }, callback) => {
      callback.searchParams.delete('state');
      return complete(callback);
    },
  },
  {
    title: 'a callback after 10 minutes',
    attack: ({ complete, clock }, callback) => {
      clock.advance(10 * 60_000);
      return complete(callback);
    },
  },
  {
    title: 'a callback after the account was deleted',
    attack: async ({ complete, accounts, applicationId }, callback) => {
      await accounts.delete(applicationId, ADA);
      return complete(callback);
    },
  },
];

test.each(attacks)('sends no token request for $title', async ({ attack }) => {
  const tenant = await createTenant();
  const { redirectTo } = await tenant.begin('ada');
  await expect(attack(tenant, tenant.upstream.approve(redirectTo))).rejects.toMatchObject(OVER);
  expect(tenant.upstream.tokenRequests()).toHaveLength(0);
  const rows = await tenant.database.selectFrom('accounts').select('status').execute();
  expect(rows.every(({ status }) => status === 'unauthorized')).toBe(true);
});

test("an attacker's code in the victim's flow is refused by the upstream, because the verifier is another", async () => {
  const { begin, complete, upstream, account } = await createTenant();
  const victim = await begin('ada');
  const attacker = upstream.approve((await begin('mallory')).redirectTo, { subject: 'mallory' });
  const callback = upstream.approve(victim.redirectTo);
  callback.searchParams.set('code', attacker.searchParams.get('code') ?? '');
  await expect(complete(callback)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
});

test('of 100 callbacks with one state one asks for tokens', async () => {
  const { begin, complete, upstream } = await createTenant();
  const callback = upstream.approve((await begin('ada')).redirectTo);
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => complete(callback)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(upstream.tokenRequests()).toHaveLength(1);
});

test('a second user cannot complete a flow that was completed', async () => {
  const { begin, complete, upstream, row } = await createTenant();
  const { redirectTo } = await begin('ada');
  await complete(upstream.approve(redirectTo, { subject: 'ada' }));
  await expect(complete(upstream.approve(redirectTo, { subject: 'mallory' }))).rejects.toMatchObject(OVER);
  expect((await row('ada')).subject).toBe('ada');
});

test('a flow is not completed when the connection was pointed elsewhere meanwhile', async () => {
  const { begin, complete, connections, upstream, applicationId } = await createTenant();
  const callback = upstream.approve((await begin('ada')).redirectTo);
  await connections.update(applicationId, 'mail', { tokenEndpoint: 'https://other.example.com/token' });
  await expect(complete(callback)).rejects.toMatchObject({ code: 'conflict' });
  expect(upstream.tokenRequests()).toHaveLength(0);
});

describe('the issuer in a callback', () => {
  test('is not compared for an endpoint of the connection, whose issuer is unknown', async () => {
    const { begin, complete, upstream } = await createTenant({ sendsIssuer: true });
    await complete(upstream.approve((await begin('ada')).redirectTo));
  });

  test('that is another ends the flow, and its error is not shown', async () => {
    const { links, authorize, connections, database, upstream, applicationId, browser } =
      await createTenant();
    await connections.create(applicationId, {
      connectionName: 'known',
      connector: 'mail',
      clientId: 'client',
    });
    const { link } = await links.create(applicationId, { connectionName: 'known', identifier: 'ada' });
    const { redirectTo } = await authorize.begin(link.split('/').at(-1) ?? '', browser);
    const { id } = await connections.get(applicationId, 'known');
    const callback = upstream.deny(redirectTo);
    callback.searchParams.set('error_description', '<b>call me</b>');
    callback.searchParams.set('iss', 'https://evil.example.com');
    const complete = authorize.complete({ connectionId: id, parameters: callback.searchParams, browser });
    await expect(complete).rejects.toMatchObject({
      code: 'forbidden',
      message:
        'The approval could not be completed with the service. Go back to the application and start again.',
    });
    expect(JSON.stringify(await database.selectFrom('accounts').selectAll().execute())).not.toContain(
      'access_denied',
    );
  });
});

test.each([
  {
    title: 'a refusal by the user',
    callback: 'deny',
    answer: undefined,
    error: { code: 'forbidden', message: /^The access was not granted/ },
  },
  {
    title: 'a wrong client secret',
    callback: 'approve',
    answer: { status: 401, body: { error: 'invalid_client' } },
    error: { code: 'connection_not_configured', message: /does not accept the client id/ },
  },
  {
    title: 'a code that is over',
    callback: 'approve',
    answer: { status: 400, body: { error: 'invalid_grant' } },
    error: { code: 'forbidden', message: /could not be completed/ },
  },
  {
    title: 'an upstream that is down',
    callback: 'approve',
    answer: { status: 503 },
    error: { code: 'unavailable', message: /could not be completed/ },
  },
] as const)('explains $title and leaves the account as it was', async ({ callback, answer, error }) => {
  const { begin, complete, upstream, account, connections, applicationId } = await createTenant();
  if (answer) upstream.script(() => answer);
  const { redirectTo } = await begin('ada');
  await expect(complete(upstream[callback](redirectTo))).rejects.toMatchObject({
    code: error.code,
    message: expect.stringMatching(error.message),
  });
  expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
  const { statusReason } = await connections.get(applicationId, 'mail');
  expect(statusReason).toBe(error.code === 'connection_not_configured' ? 'invalid_client' : undefined);
});

describe('a second approval', () => {
  test('by the same user renews the access', async () => {
    const { connect, row } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    await connect('ada', { subject: 'ada' });
    const after = await row('ada');
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.refreshToken).not.toBe(before.refreshToken);
  });

  test('by another user is refused, and the tokens that it brought are revoked', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    await expect(connect('ada', { subject: 'bob' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^"ada" is connected as another user of Mail/),
    });
    expect(await row('ada')).toEqual(before);
    expect(upstream.requests.at(-1)).toMatchObject({
      path: '/revoke',
      parameters: { token: expect.stringMatching(/^refresh-bob-/) },
    });
  });

  test('by another user replaces the account when the application asked for that', async () => {
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

  test('by the same user without a refresh token keeps the one that there is', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    const before = await row('ada');
    upstream.script(withoutRefreshToken('ada'));
    await connect('ada', { subject: 'ada' });
    expect((await row('ada')).refreshToken).toBe(before.refreshToken);
  });

  test('by another user without a refresh token does not keep the first one', async () => {
    const { connect, row, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    upstream.script(withoutRefreshToken('bob'));
    await connect('ada', { subject: 'bob', replace: true });
    expect((await row('ada')).refreshToken).toBeNull();
  });

  test('that does not say who it is does not replace a known user', async () => {
    const { connect, upstream } = await createTenant();
    await connect('ada', { subject: 'ada' });
    upstream.script(withoutRefreshToken(undefined));
    await expect(connect('ada')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('wins over a refresh that was under way', async () => {
    const { connect, begin, complete, credentials, clock, upstream } = await createTenant();
    const account = await connect('ada');
    clock.advance(3_600_000);
    const callback = upstream.approve((await begin('ada')).redirectTo);
    const release = upstream.hold();
    const refreshing = credentials.current(account);
    const approving = complete(callback);
    release();
    const [refreshed] = await Promise.all([refreshing, approving]);
    const current = await credentials.current(account);
    expect(current.version).toBeGreaterThanOrEqual(refreshed.version);
    expect(upstream.tokenRequests('authorization_code')).toHaveLength(2);
    expect(upstream.tokenRequests('refresh_token')).toHaveLength(1);
  });
});

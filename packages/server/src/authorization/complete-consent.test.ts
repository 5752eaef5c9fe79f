import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../test/support/service/create-tenant.js';

const ADA = { connectionName: 'mail', identifier: 'ada' };
const OTHER_BROWSER = randomBytes(32).toString('base64url');
const over = (problem: string) => ({
  code: 'forbidden',
  message: `This consent ${problem}. Go back to the application and start again.`,
});

interface Attack {
  readonly title: string;
  /** End of the first sentence of the error message. */
  readonly problem: string;
  readonly attack: (tenant: Tenant, callback: URL) => Promise<unknown>;
}

const attacks: readonly Attack[] = [
  {
    title: "the victim's callback in the attacker's browser",
    problem: 'was started in another browser',
    attack: ({ complete }, callback) => complete(callback, { browser: OTHER_BROWSER }),
  },
  {
    title: 'a callback in a browser without the cookie',
    problem: 'was started in another browser',
    attack: ({ complete }, callback) => complete(callback, { browser: undefined }),
  },
  {
    title: 'a callback on the path of another connection of the same application',
    problem: 'belongs to another connection',
    attack: async ({ complete, connections, applicationId }, callback) => {
      const other = await connections.create(applicationId, { connectionName: 'other', connector: 'mail' });
      return complete(callback, { connectionId: other.id });
    },
  },
  {
    title: 'a callback on the path of an unknown connection',
    problem: 'belongs to another connection',
    attack: ({ complete }, callback) => complete(callback, { connectionId: 'conn_none' }),
  },
  {
    title: 'a forged state',
    problem: 'does not exist or was deleted',
    attack: ({ complete }, callback) => {
      callback.searchParams.set('state', randomBytes(32).toString('base64url'));
      return complete(callback);
    },
  },
  {
    title: 'no state',
    problem: 'does not exist or was deleted',
    attack: ({ complete }, callback) => {
      callback.searchParams.delete('state');
      return complete(callback);
    },
  },
  {
    title: 'a callback after 10 minutes',
    problem: 'took longer than 10 minutes',
    attack: ({ complete, clock }, callback) => {
      clock.advance(10 * 60_000);
      return complete(callback);
    },
  },
  {
    title: 'a callback after the account was deleted',
    problem: 'does not exist or was deleted',
    attack: async ({ complete, accounts, applicationId }, callback) => {
      await accounts.delete(applicationId, ADA);
      return complete(callback);
    },
  },
];

test.each(attacks)('O2, O3: a callback makes no token request for $title', async ({ attack, problem }) => {
  const tenant = await createTenant();
  const { redirectTo } = await tenant.begin('ada');
  await expect(attack(tenant, tenant.upstream.approve(redirectTo))).rejects.toMatchObject(over(problem));
  expect(tenant.upstream.tokenRequests()).toHaveLength(0);
  const rows = await tenant.database.selectFrom('accounts').select('status').execute();
  expect(rows.every(({ status }) => status === 'unauthorized')).toBe(true);
});

test('O9: the upstream refuses the code of an attacker in the flow of a victim because of the verifier', async () => {
  const { begin, complete, upstream, account } = await createTenant();
  const victim = await begin('ada');
  const attacker = upstream.approve((await begin('mallory')).redirectTo, { subject: 'mallory' });
  const callback = upstream.approve(victim.redirectTo);
  callback.searchParams.set('code', attacker.searchParams.get('code') ?? '');
  await expect(complete(callback)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
});

test('O3: one of 100 callbacks with the same state requests tokens', async () => {
  const { begin, complete, upstream } = await createTenant();
  const callback = upstream.approve((await begin('ada')).redirectTo);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => complete(callback)));
  expect(new Set(outcomes.map(({ redirectTo }) => redirectTo)).size).toBe(1);
  expect(upstream.tokenRequests()).toHaveLength(1);
});

test('O3: a second user cannot complete a flow that is already completed', async () => {
  const { begin, complete, upstream, row } = await createTenant();
  const { redirectTo } = await begin('ada');
  await complete(upstream.approve(redirectTo, { subject: 'ada' }));
  const again = await complete(upstream.approve(redirectTo, { subject: 'mallory' }));
  expect(again.redirectTo).toMatch(/\/connect\/result\/link_/);
  const elsewhere = complete(upstream.approve(redirectTo, { subject: 'mallory' }), {
    browser: OTHER_BROWSER,
  });
  await expect(elsewhere).rejects.toMatchObject(over('was started in another browser'));
  expect(upstream.tokenRequests()).toHaveLength(1);
  expect((await row('ada')).subject).toBe('ada');
});

test('O7: a callback after a revocation makes no token request', async () => {
  const { accounts, begin, complete, connect, upstream, applicationId } = await createTenant();
  const { id } = await connect('ada');
  const callback = upstream.approve((await begin('ada')).redirectTo);
  await accounts.revokeById(applicationId, id);
  const before = upstream.tokenRequests().length;
  await expect(complete(callback)).rejects.toMatchObject(over('does not exist or was deleted'));
  expect(upstream.tokenRequests()).toHaveLength(before);
});

test.each([
  { title: 'is stored at once', verifyUrl: null },
  { title: 'waits for a verification', verifyUrl: 'https://acme.example.com/verify' },
])('O7: a revocation ends a consent that $title and is in flight', async ({ verifyUrl }) => {
  const { accounts, applications, begin, complete, connect, row, upstream, applicationId, database } =
    await createTenant();
  const { id } = await connect('ada');
  await applications.change(applicationId, { verifyUrl });
  const { redirectTo } = await begin('ada');
  upstream.script(async () => {
    await accounts.revokeById(applicationId, id);
    return undefined;
  });
  await expect(complete(upstream.approve(redirectTo))).rejects.toMatchObject(
    over('does not exist or was deleted'),
  );
  expect(await row('ada')).toMatchObject({ status: 'reauthorization_required', accessToken: null });
  expect(await database.selectFrom('pendingApprovals').selectAll().execute()).toEqual([]);
  const revoked = upstream.requests.filter(({ path }) => path === '/revoke');
  expect(new Set(revoked.map(({ parameters }) => parameters['token'])).size).toBe(2);
});

test('O12: a flow cannot be completed after the endpoints of the connection changed', async () => {
  const { begin, complete, database, upstream } = await createTenant();
  const callback = upstream.approve((await begin('ada')).redirectTo);
  const elsewhere = { tokenEndpoint: 'https://other.example.com/token' };
  await database.updateTable('connections').set(elsewhere).execute();
  await expect(complete(callback)).rejects.toMatchObject({ code: 'conflict' });
  expect(upstream.tokenRequests()).toHaveLength(0);
});

describe('O11: the issuer in a callback', () => {
  test('is not compared for an endpoint of the connection, whose issuer is unknown', async () => {
    const { begin, complete, upstream } = await createTenant({ sendsIssuer: true });
    await complete(upstream.approve((await begin('ada')).redirectTo));
  });

  test('ends the flow when it differs, and its error is not shown', async () => {
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
        'The authorization server did not complete the consent. Go back to the application and start again.',
    });
    expect(JSON.stringify(await database.selectFrom('accounts').selectAll().execute())).not.toContain(
      'access_denied',
    );
  });
});

test.each([
  {
    title: 'a denial of the user',
    callback: 'deny',
    response: undefined,
    error: { code: 'forbidden', message: /^You granted no access/ },
  },
  {
    title: 'a wrong client secret',
    callback: 'approve',
    response: { status: 401, body: { error: 'invalid_client' } },
    error: { code: 'connection_not_configured', message: /refuses the client id/ },
  },
  {
    title: 'an expired code',
    callback: 'approve',
    response: { status: 400, body: { error: 'invalid_grant' } },
    error: { code: 'forbidden', message: /did not complete/ },
  },
  {
    title: 'an upstream that is down',
    callback: 'approve',
    response: { status: 503 },
    error: { code: 'unavailable', message: /did not complete/ },
  },
] as const)(
  'a callback reports $title and keeps the account unchanged',
  async ({ callback, response, error }) => {
    const { begin, complete, upstream, account, connections, applicationId } = await createTenant();
    // Scripts two token responses: after `invalid_client`, the service sends an invented code to check whether the
    // server knows the OAuth client.
    if (response)
      upstream.script(
        () => response,
        () => response,
      );
    const { redirectTo } = await begin('ada');
    await expect(complete(upstream[callback](redirectTo))).rejects.toMatchObject({
      code: error.code,
      message: expect.stringMatching(error.message),
    });
    expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
    const { statusReason } = await connections.get(applicationId, 'mail');
    expect(statusReason).toBe(error.code === 'connection_not_configured' ? 'invalid_client' : undefined);
  },
);

test('R8: an error in a callback does not mark the connection', async () => {
  const { begin, complete, upstream, connections, applicationId } = await createTenant();
  const callback = upstream.deny((await begin('mallory')).redirectTo);
  callback.searchParams.set('error', 'unauthorized_client');
  await expect(complete(callback)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(/does not allow the OAuth client/),
  });
  expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
});

test.each([
  ['invalid_client', /did not complete/],
  ['unauthorized_client', /does not allow the OAuth client/],
])(
  'R8: %s for the code of one user does not mark the connection when the server knows the client',
  async (error, message) => {
    const { begin, complete, upstream, connections, applicationId } = await createTenant();
    const callback = upstream.approve((await begin('mallory')).redirectTo);
    // Some authorization servers return an OAuth client error, such as `invalid_client`, for a code issued to another
    // client. A user can submit such a code, so the error must not mark the connection as broken.
    callback.searchParams.set('code', 'of-another-client');
    upstream.script(() => ({ status: 401, body: { error } }));
    await expect(complete(callback)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(message),
    });
    expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
    const [mallorys, request, ...others] = upstream.tokenRequests('authorization_code');
    expect(others).toEqual([]);
    expect(request?.parameters['code']).not.toBe(mallorys?.parameters['code']);
  },
);

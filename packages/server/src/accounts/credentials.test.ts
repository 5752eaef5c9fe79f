import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createTenant, type Tenant, type TenantOptions } from '../../test/support/create-tenant.js';
import { testFetch } from '../../test/support/test-fetch.js';
import { createAuthorization } from './authorization.js';

const HOUR_MS = 3_600_000;

/** A tenant with one authorized account. */
async function createConnected(options: TenantOptions = {}) {
  const tenant = await createTenant(options);
  const resolved = await tenant.connect('ada');
  const refreshes = () => tenant.upstream.tokenRequests('refresh_token');
  return { ...tenant, resolved, refreshes };
}

/** The same database in a new process. */
const restart = ({ given }: Tenant) => createAuthorization(given);

test('a fresh token is used as it is, and read from the database once in 5 s', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected();
  const first = await credentials.current(resolved);
  clock.advance(4000);
  expect(await credentials.current(resolved)).toBe(first);
  clock.advance(2000);
  const later = await credentials.current(resolved);
  expect(later).not.toBe(first);
  expect(later.secret.reveal()).toBe(first.secret.reveal());
  expect(refreshes()).toHaveLength(0);
});

test('printing a credential shows no token', async () => {
  const { credentials, resolved } = await createConnected();
  const current = await credentials.current(resolved);
  expect(`${inspect(current, { depth: 5 })}${JSON.stringify(current)}${current.secret}`).not.toMatch(
    /access-ada/,
  );
});

test.each([
  { title: '300 s for an hour', expiresIn: 3600, earlySeconds: 300 },
  { title: '10 % of 1000 s', expiresIn: 1000, earlySeconds: 100 },
  { title: '60 s for 5 minutes', expiresIn: 300, earlySeconds: 60 },
  { title: 'half of a life of 30 s', expiresIn: 30, earlySeconds: 15 },
  { title: '300 s for a day in a string', expiresIn: '86400', earlySeconds: 300 },
])('a token is renewed $title before its end', async ({ expiresIn, earlySeconds }) => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ expiresIn });
  clock.advance((Number(expiresIn) - earlySeconds) * 1000 - 1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  clock.advance(1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(1);
});

test('jitter makes it earlier, and never later', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ parts: { jitter: () => 0.5 } });
  clock.advance(HOUR_MS - 330_000 - 1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  clock.advance(1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(1);
});

test('a token without a known life is renewed only when the upstream refuses it', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ expiresIn: null });
  clock.advance(365 * 24 * HOUR_MS);
  const current = await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  const renewed = await credentials.renew(resolved, current);
  expect(renewed?.secret.reveal()).not.toBe(current.secret.reveal());
  expect(refreshes()).toHaveLength(1);
});

describe('one refresh for', () => {
  test.each(['current', 'renew'] as const)('250 callers of %s', async (operation) => {
    const { credentials, resolved, refreshes, clock, account } = await createConnected();
    const rejected = await credentials.current(resolved);
    if (operation === 'current') clock.advance(HOUR_MS);
    const call = () =>
      operation === 'current' ? credentials.current(resolved) : credentials.renew(resolved, rejected);
    const renewed = await Promise.all(Array.from({ length: 250 }, call));
    expect(new Set(renewed.map((credential) => credential?.secret.reveal())).size).toBe(1);
    expect(renewed[0]?.version).toBeGreaterThan(rejected.version);
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  });

  test('a late caller whose token was replaced meanwhile', async () => {
    const { credentials, resolved, refreshes } = await createConnected();
    const rejected = await credentials.current(resolved);
    const renewed = await credentials.renew(resolved, rejected);
    expect((await credentials.renew(resolved, rejected))?.version).toBe(renewed?.version);
    expect(refreshes()).toHaveLength(1);
  });

  test('each of ten rounds', async () => {
    const { credentials, resolved, refreshes, clock } = await createConnected();
    for (let round = 1; round <= 10; round += 1) {
      clock.advance(HOUR_MS);
      await Promise.all(Array.from({ length: 25 }, () => credentials.current(resolved)));
      expect(refreshes()).toHaveLength(round);
    }
  });
});

test('a refresh goes on when nobody waits for it any more', async () => {
  const { credentials, resolved, refreshes, clock, upstream, row } = await createConnected();
  const before = await row('ada');
  clock.advance(HOUR_MS);
  const release = upstream.hold();
  const abandoned = credentials.current(resolved);
  release();
  await expect.poll(async () => (await row('ada')).version).toBeGreaterThan(before.version);
  await abandoned;
  expect(refreshes()).toHaveLength(1);
});

test('an answer without a refresh token keeps the old one, and a narrower scope is shown', async () => {
  const { credentials, resolved, clock, row, account, upstream } = await createConnected({ rotates: false });
  const before = await row('ada');
  upstream.script(() => ({
    status: 200,
    body: { access_token: 'new', token_type: 'Bearer', scope: 'read' },
  }));
  clock.advance(HOUR_MS);
  expect((await credentials.current(resolved)).secret.reveal()).toBe('new');
  expect((await row('ada')).refreshToken).toBe(before.refreshToken);
  expect((await account('ada')).scopes).toEqual(['read']);
});

const OUTAGES = [
  { title: 'a rate limit', answer: { status: 429, headers: { 'retry-after': '40' } }, retryAfter: 40 },
  { title: 'a server error', answer: { status: 503 }, retryAfter: 1 },
  { title: 'HTML from an edge', answer: { status: 403, body: '<html>' }, retryAfter: 1 },
  {
    title: 'an answer without a token',
    answer: { status: 200, body: { token_type: 'bearer' } },
    retryAfter: 1,
  },
  {
    title: 'an error of the request',
    answer: { status: 400, body: { error: 'invalid_scope' } },
    retryAfter: 1,
  },
  { title: 'a broken connection', answer: 'reset', retryAfter: 1 },
] as const;

describe.each(OUTAGES)('after $title', ({ answer, retryAfter }) => {
  test('a token that is still good is used, and the account keeps its state', async () => {
    const { credentials, resolved, refreshes, clock, upstream, account } = await createConnected();
    const current = await credentials.current(resolved);
    clock.advance(HOUR_MS - 120_000);
    upstream.script(() => answer);
    expect((await credentials.current(resolved)).secret.reveal()).toBe(current.secret.reveal());
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  });

  test('a token that has ended gives unavailable, and the next try waits', async () => {
    const { credentials, resolved, refreshes, clock, upstream, account } = await createConnected({
      parts: { jitter: () => 0.999 },
    });
    clock.advance(HOUR_MS);
    upstream.script(() => answer);
    const error = { code: 'unavailable', details: { connectionName: 'mail', retryAfter } };
    await expect(credentials.current(resolved)).rejects.toMatchObject(error);
    await expect(credentials.current(resolved)).rejects.toMatchObject(error);
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });

    clock.advance(retryAfter * 1000);
    await credentials.current(resolved);
    expect(refreshes()).toHaveLength(2);
  });
});

test('a token endpoint that does not answer is given up after the time limit', async () => {
  const { credentials, resolved, clock, upstream, account } = await createConnected({
    parts: { fetch: (url, init) => testFetch(url, { ...init, signal: AbortSignal.timeout(50) }) },
  });
  clock.advance(HOUR_MS);
  upstream.script(() => 'hang');
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

describe('when the user has taken the access back', () => {
  test('the account needs a new approval, and the upstream is not asked again', async () => {
    const { credentials, resolved, resolve, refreshes, clock, upstream, account, row, applicationId } =
      await createConnected();
    upstream.revokeGrants();
    clock.advance(HOUR_MS);
    const ended = {
      code: 'account_not_authorized',
      details: { status: 'reauthorization_required', statusReason: 'refresh_refused' },
    };
    for (let times = 0; times < 3; times += 1)
      await expect(credentials.current(resolved)).rejects.toMatchObject(ended);
    await expect(resolve.byIdentifier(applicationId, 'mail', 'ada')).rejects.toMatchObject(ended);
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({
      status: 'reauthorization_required',
      statusReason: 'refresh_refused',
    });
    expect(await row('ada')).toMatchObject({ accessToken: null, refreshToken: null });
  });

  test('a new approval brings it back', async () => {
    const { credentials, resolved, connect, clock, upstream, account } = await createConnected();
    upstream.revokeGrants();
    clock.advance(HOUR_MS);
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
    await credentials.current(await connect('ada'));
    const connected = await account('ada');
    expect(connected.status).toBe('authorized');
    expect(connected.statusReason).toBeUndefined();
  });
});

test('a newer version wins over invalid_grant', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, account, row } = tenant;
  clock.advance(HOUR_MS);
  const release = upstream.hold();
  upstream.script(() => ({ status: 400, body: { error: 'invalid_grant' } }));
  const refreshing = credentials.current(resolved);
  await expect.poll(() => upstream.tokenRequests('refresh_token').length).toBe(1);
  const { applicationId, id, version, accessToken } = await row('ada');
  const change = { accessToken, expiresAt: clock.now() + HOUR_MS, updatedAt: clock.now() };
  await tenant.storage.accounts.change({ applicationId, id, version }, change);
  release();
  expect((await refreshing).version).toBe(version + 1);
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

test('a refresh whose account was changed meanwhile writes nothing over the change', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, row } = tenant;
  clock.advance(HOUR_MS);
  const release = upstream.hold();
  const refreshing = credentials.current(resolved);
  await expect.poll(() => upstream.tokenRequests('refresh_token').length).toBe(1);
  const { accessToken, ...version } = await row('ada');
  const change = { accessToken, expiresAt: clock.now() + HOUR_MS, updatedAt: clock.now() };
  const changed = await tenant.storage.accounts.change(version, change);
  release();
  await refreshing;
  expect(await row('ada')).toMatchObject({ ...changed });
});

describe('when the upstream refuses the client', () => {
  const refused = () => ({ status: 401, body: { error: 'invalid_client' } });

  test('the connection is marked, its accounts keep their state, and new settings bring it back', async () => {
    const { credentials, resolved, connections, clock, upstream, account, applicationId } =
      await createConnected();
    clock.advance(HOUR_MS);
    upstream.script(refused);
    await expect(credentials.current(resolved)).rejects.toMatchObject({
      code: 'connection_not_configured',
      details: { connectionName: 'mail', statusReason: 'invalid_client' },
    });
    expect(await connections.get(applicationId, 'mail')).toMatchObject({ statusReason: 'invalid_client' });
    expect(await account('ada')).toMatchObject({ status: 'authorized' });

    await connections.update(applicationId, 'mail', { clientSecret: upstream.clientSecret });
    expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
    clock.advance(1000);
    await credentials.current(resolved);
  });

  test('a token that is still good is used', async () => {
    const { credentials, resolved, clock, upstream } = await createConnected();
    clock.advance(HOUR_MS - 120_000);
    upstream.script(refused);
    expect((await credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
  });

  test('the next refresh that works takes the mark away', async () => {
    const { credentials, resolved, connections, clock, upstream, applicationId } = await createConnected();
    clock.advance(HOUR_MS);
    upstream.script(refused);
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'connection_not_configured' });
    clock.advance(1000);
    await credentials.current(resolved);
    expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
  });
});

describe('an account without a refresh token', () => {
  async function createWithoutRefreshToken() {
    const tenant = await createTenant();
    tenant.upstream.script(() => ({
      status: 200,
      body: { access_token: 'access', token_type: 'Bearer', expires_in: 3600 },
    }));
    return { ...tenant, resolved: await tenant.connect('ada') };
  }

  test('is used to the end of its token, and then needs a new approval', async () => {
    const { credentials, resolved, clock, account } = await createWithoutRefreshToken();
    clock.advance(HOUR_MS - 1);
    expect((await credentials.current(resolved)).secret.reveal()).toBe('access');
    clock.advance(1);
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
    expect(await account('ada')).toMatchObject({
      status: 'reauthorization_required',
      statusReason: 'token_expired',
    });
  });

  test('has nothing newer when the upstream refuses its token', async () => {
    const { credentials, resolved } = await createWithoutRefreshToken();
    expect(await credentials.renew(resolved, await credentials.current(resolved))).toBeUndefined();
  });
});

interface Kill {
  readonly title: string;
  /** Makes the next refresh end in the middle, as if the process had been killed there. */
  readonly kill: (tenant: Tenant) => ReturnType<typeof createAuthorization>;
  /** Whether the upstream has given a new refresh token that nobody has. */
  readonly isLost: boolean;
}

const die = (): never => {
  throw new Error('killed');
};

const dying = ({ given }: Tenant, accounts: Partial<Tenant['storage']['accounts']>) =>
  createAuthorization({
    ...given,
    storage: { ...given.storage, accounts: { ...given.storage.accounts, ...accounts } },
  });

const KILLS: readonly Kill[] = [
  {
    title: 'before the intent',
    kill: (tenant) => dying(tenant, { markRefresh: async () => die() }),
    isLost: false,
  },
  {
    title: 'after the intent',
    kill: (tenant) => createAuthorization({ ...tenant.given, fetch: async () => die() }),
    isLost: false,
  },
  {
    title: 'after the request',
    kill: (tenant) => {
      tenant.upstream.script(() => 'lose');
      return createAuthorization(tenant.given);
    },
    isLost: true,
  },
  {
    title: 'after the response',
    kill: (tenant) => dying(tenant, { change: async () => die() }),
    isLost: true,
  },
  {
    title: 'after the commit',
    kill: (tenant) => {
      const { change } = tenant.given.storage.accounts;
      return dying(tenant, {
        change: async (...values) => {
          await change(...values);
          return die();
        },
      });
    },
    isLost: false,
  },
];

describe.each(KILLS)('killed $title', ({ kill, isLost }) => {
  test.each([{ rotates: true }, { rotates: false }])(
    'the next process goes on as far as it can ($rotates)',
    async ({ rotates }) => {
      const tenant = await createConnected({ rotates });
      const { resolved, refreshes, clock, account } = tenant;
      clock.advance(HOUR_MS);
      await expect(kill(tenant).credentials.current(resolved)).rejects.toThrow();
      const before = refreshes().length;
      const { credentials } = restart(tenant);

      if (!isLost || !rotates) {
        expect((await credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
        expect(await account('ada')).toMatchObject({ status: 'authorized' });
        return;
      }
      for (let times = 0; times < 3; times += 1) {
        await expect(credentials.current(resolved)).rejects.toMatchObject({
          code: 'account_not_authorized',
          details: { statusReason: 'refresh_outcome_unknown' },
        });
      }
      expect(refreshes()).toHaveLength(before + 1);
    },
  );
});

test('a rate limit after an outcome that is unknown leaves it unknown', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, account } = tenant;
  clock.advance(HOUR_MS);
  upstream.script(
    () => 'lose',
    () => ({ status: 429 }),
  );
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(1000);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(2000);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(await account('ada')).toMatchObject({ statusReason: 'refresh_outcome_unknown' });
});

test('a change by another process is seen within 5 s', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock } = tenant;
  const first = await credentials.current(resolved);
  const other = await restart(tenant).credentials.renew(resolved, first);
  clock.advance(5001);
  expect((await credentials.current(resolved)).version).toBe(other?.version);
});

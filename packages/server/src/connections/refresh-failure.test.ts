import { describe, expect, test } from 'vitest';
import { createConnected, HOUR_MS } from '../../test/support/service/create-connected.js';
import type { Tenant } from '../../test/support/service/create-tenant.js';
import { testFetch } from '../../test/support/service/test-fetch.js';
import type { TestReply } from '../../test/support/upstreams/authorization-server.js';
import { secret } from '../secret.js';
import { tokenLocation } from './token-columns.js';

const sealToken = ({ vault }: Tenant, account: { applicationId: string; id: string }, token: string) =>
  vault.seal(tokenLocation(account, 'refresh_token'), secret(token));

const OUTAGES = [
  { title: 'a rate limit', response: { status: 429, headers: { 'retry-after': '40' } }, retryAfter: 40 },
  { title: 'a server error', response: { status: 503 }, retryAfter: 1 },
  { title: 'HTML from an edge proxy', response: { status: 403, body: '<html>' }, retryAfter: 1 },
  {
    title: 'a response without a token',
    response: { status: 200, body: { token_type: 'bearer' } },
    retryAfter: 1,
  },
  {
    title: 'an error in the request',
    response: { status: 400, body: { error: 'invalid_scope' } },
    retryAfter: 1,
  },
  { title: 'a broken connection', response: 'reset', retryAfter: 1 },
] as const;

describe.each(OUTAGES)('R7: after $title', ({ response, retryAfter }) => {
  test('a token that is still valid is used, and the account keeps its status', async () => {
    const { credentials, resolved, refreshes, clock, upstream, account } = await createConnected();
    const current = await credentials.current(resolved);
    clock.advance(HOUR_MS - 120_000);
    upstream.script(() => response);
    expect((await credentials.current(resolved)).secret.reveal()).toBe(current.secret.reveal());
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  });

  test('an expired token is unavailable, and the next try waits', async () => {
    const { credentials, resolved, refreshes, clock, upstream, account } = await createConnected({
      parts: { jitter: () => 0.999 },
    });
    clock.advance(HOUR_MS);
    upstream.script(() => response);
    const error = { code: 'unavailable', details: { connectionName: 'mail', retryAfter } };
    await expect(credentials.current(resolved)).rejects.toMatchObject(error);
    const message = expect.stringContaining('an earlier attempt failed');
    await expect(credentials.current(resolved)).rejects.toMatchObject({ ...error, message });
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({ status: 'authorized' });

    clock.advance(retryAfter * 1000);
    await credentials.current(resolved);
    expect(refreshes()).toHaveLength(2);
  });
});

test('R7: a token request without a response ends at its timeout', async () => {
  let timeoutMs = 60_000;
  const { credentials, resolved, clock, upstream, account } = await createConnected({
    parts: { fetch: (url, init) => testFetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }) },
  });
  clock.advance(HOUR_MS);
  upstream.script(() => 'hang');
  timeoutMs = 50;
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await account('ada')).toMatchObject({ status: 'authorized' });
});

const REFUSED = {
  'GitHub, with a success status': { status: 200, body: { error: 'bad_refresh_token' } },
  Slack: { status: 200, body: { ok: false, error: 'invalid_refresh_token' } },
  'an upstream that revoked the token': { status: 400, body: { error: 'token_revoked' } },
  HubSpot: { status: 400, body: { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid' } },
  'an error in an object': { status: 401, body: { error: { code: 'expired_token', message: 'over' } } },
  'a code that the connector declares': { status: 400, body: { error: 'seat_lost' } },
  'Fitbit, in a list': {
    status: 401,
    body: { errors: [{ errorType: 'invalid_grant', message: 'Refresh token invalid.' }], success: false },
  },
  'a list of errors with codes': { status: 400, body: { errors: [{ code: 'token_revoked' }] } },
  'a list of codes': { status: 400, body: { errors: ['invalid_grant'] } },
  'a code in capitals': { status: 400, body: { error: 'INVALID_GRANT' } },
  'a status in an object': { status: 400, body: { error: { code: 400, status: 'INVALID_GRANT' } } },
  'the code of RFC 6750': { status: 401, body: { error: 'invalid_token' } },
} as const;

test.each(Object.entries(REFUSED))('R6: a refusal by %s ends the access at once', async (_, response) => {
  const { credentials, resolved, clock, upstream, account } = await createConnected();
  clock.advance(HOUR_MS);
  upstream.script(() => response);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(await account('ada')).toMatchObject({
    status: 'reauthorization_required',
    statusReason: 'refresh_refused',
  });
});

describe('a refresh that fails repeatedly', () => {
  const failOften = async (response: TestReply, times: number, pauseMs = 20_000) => {
    const tenant = await createConnected({ parts: { jitter: () => 0 } });
    const { credentials, resolved, clock, upstream } = tenant;
    clock.advance(HOUR_MS);
    const codes: string[] = [];
    for (let time = 0; time < times; time += 1) {
      upstream.script(() => response);
      codes.push(
        await credentials.current(resolved).then(
          () => 'refreshed',
          ({ code }) => code,
        ),
      );
      clock.advance(pauseMs);
    }
    return { ...tenant, codes };
  };
  const UNEXPLAINED = [
    { status: 400, body: { error: 'no_longer_welcome' } },
    { status: 400, body: { error: { code: 'unheard_of' } } },
    { status: 403, body: { error: 'who_knows' } },
    {
      status: 403,
      body: { error: 'unauthorized_client', error_description: 'refresh_token is invalid' },
    },
    { status: 401, body: { error: 'invalid_request', reason: 'Invalid Token!' } },
    {
      status: 400,
      body: { error: 'invalid_request', error_description: 'The refresh token has expired.' },
    },
    { status: 400, body: { error: { code: 'invalid_request', message: 'The grant was revoked.' } } },
    { status: 400, body: { error: 'access_denied' } },
    { status: 401, body: { message: 'Refresh token has been revoked' } },
  ];

  test.each(UNEXPLAINED)('R6: ends the access at the fourth try with $status and $body', async (response) => {
    const { codes, account } = await failOften(response, 4);
    expect(codes).toEqual(['unavailable', 'unavailable', 'unavailable', 'account_not_authorized']);
    expect(await account('ada')).toMatchObject({ statusReason: 'refresh_refused' });
  });

  test('R7: keeps the access when unexplained refusals are minutes apart', async () => {
    const { codes, account } = await failOften({ status: 400, body: { error: 'hiccup' } }, 6, 150_000);
    expect(codes).toEqual(Array(6).fill('unavailable'));
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  });

  const PASSING = [
    { status: 403, body: '<html>Access denied</html>' },
    { status: 200, body: '<html>Maintenance</html>' },
    { status: 429, body: { error: 'slow_down' } },
    { status: 503, body: { error: 'who_knows' } },
    { status: 400, body: { error: 'temporarily_unavailable' } },
    { status: 200, body: { ok: false, error: 'ratelimited' } },
    { status: 200, body: { ok: false, error: 'internal_error' } },
    {
      status: 400,
      body: {
        error: 'Access Denied',
        error_description: 'You have made too many requests continuously. Please try again after some time.',
      },
    },
    { status: 400, body: { error: 'server_error' } },
    { status: 401, body: { message: 'Unauthorized' } },
    { status: 400, body: { code: 'validation_error', message: 'A new field is required.' } },
    { status: 200, body: { success: false } },
    {
      status: 400,
      body: { error: 'invalid_request', error_description: 'The parameter refresh_token is missing.' },
    },
  ];

  test.each(PASSING)(
    'R7: keeps the access with $status and $body, and writes an audit event',
    async (response) => {
      const { codes, account, database } = await failOften(response, 12);
      expect(codes).toEqual(Array(12).fill('unavailable'));
      expect(await account('ada')).toMatchObject({ status: 'authorized' });
      const events = await database.selectFrom('auditEvents').select(['action', 'reason']).execute();
      expect(events.filter(({ action }) => action === 'account.refresh_failing')).toHaveLength(1);
    },
  );

  test.each([
    { status: 200, body: { error: 'incorrect_client_credentials' } },
    { status: 200, body: { ok: false, error: 'invalid_client_id' } },
    {
      status: 400,
      body: {
        error: 'unauthorized_client',
        error_description: 'The grant type refresh_token is not valid for this client.',
      },
    },
  ])('R8: blames the client with $body', async (response) => {
    const { credentials, resolved, clock, upstream, account } = await createConnected();
    clock.advance(HOUR_MS);
    upstream.script(
      () => response,
      () => response,
    );
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'connection_not_configured' });
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  });
});

describe('a revoked grant', () => {
  test('R6: requires reauthorization and makes no further token request', async () => {
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
    await expect(
      resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }),
    ).rejects.toMatchObject(ended);
    expect(refreshes()).toHaveLength(1);
    expect(await account('ada')).toMatchObject({
      status: 'reauthorization_required',
      statusReason: 'refresh_refused',
    });
    expect(await row('ada')).toMatchObject({ accessToken: null, refreshToken: null });
  });

  test('R6: is replaced by a new consent', async () => {
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

test.each([
  { title: 'a required second factor', status: 400, error: 'interaction_required' },
  { title: 'a required sign-in', status: 400, error: 'login_required' },
  { title: 'a required consent', status: 400, error: 'consent_required' },
  { title: 'invalid_grant with status 200', status: 200, error: 'invalid_grant' },
])('R6: the account requires reauthorization after $title', async ({ status, error }) => {
  const { credentials, resolved, refreshes, clock, upstream, account } = await createConnected();
  clock.advance(HOUR_MS);
  upstream.script(() => ({ status, body: { error } }));
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(refreshes()).toHaveLength(1);
  expect(await account('ada')).toMatchObject({
    status: 'reauthorization_required',
    statusReason: 'refresh_refused',
  });
});

test.each([1e300, 0.0001, 3599.99999, '1e17'])(
  'tokens with a lifetime of %s s are accepted',
  async (expires_in) => {
    const { credentials, resolved, clock, upstream, account, row } = await createConnected();
    clock.advance(HOUR_MS);
    const body = { access_token: 'next', token_type: 'bearer', expires_in };
    upstream.script(() => ({ status: 200, body }));
    expect((await credentials.current(resolved)).secret.reveal()).toBe('next');
    expect(await row('ada')).toMatchObject({ issuedAt: clock.now() });
    expect(await account('ada')).toMatchObject({ status: 'authorized' });
  },
);

test('R6: a newer version of the account wins over invalid_grant', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, account, row } = tenant;
  clock.advance(HOUR_MS);
  const release = upstream.pause();
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

test('R2: new tokens do not overwrite those of a simultaneous consent', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, row } = tenant;
  clock.advance(HOUR_MS);
  const release = upstream.pause();
  const refreshing = credentials.current(resolved);
  await expect.poll(() => upstream.tokenRequests('refresh_token').length).toBe(1);
  const { accessToken, ...version } = await row('ada');
  const refreshToken = await sealToken(tenant, version, 'of a new approval');
  const change = { accessToken, refreshToken, issuedAt: clock.now(), updatedAt: clock.now() };
  const changed = await tenant.storage.accounts.change(version, change);
  release();
  await refreshing;
  expect(await row('ada')).toMatchObject({ ...changed });
});

test('R2: new tokens survive an unrelated simultaneous change', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, row, refreshes } = tenant;
  clock.advance(HOUR_MS);
  const release = upstream.pause();
  const refreshing = credentials.current(resolved);
  await expect.poll(() => refreshes().length).toBe(1);
  await tenant.storage.accounts.change(await row('ada'), {
    wantedScopes: '["write"]',
    updatedAt: clock.now(),
  });
  release();
  const { version } = await refreshing;
  expect(await row('ada')).toMatchObject({ version, wantedScopes: '["write"]', refreshStartedAt: null });
  clock.advance(HOUR_MS);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(2);
});

describe('a refused client', () => {
  const refused = () => ({ status: 401, body: { error: 'invalid_client' } });

  test('R8: marks the connection, keeps the accounts authorized, and is cleared by new settings', async () => {
    const { credentials, resolved, connections, clock, upstream, account, applicationId } =
      await createConnected();
    clock.advance(HOUR_MS);
    upstream.script(refused, refused);
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

  test('R8: leaves a valid token in use', async () => {
    const { credentials, resolved, clock, upstream } = await createConnected();
    clock.advance(HOUR_MS - 120_000);
    upstream.script(refused, refused);
    expect((await credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
  });

  test('R8: is cleared by the next successful refresh', async () => {
    const { credentials, resolved, connections, clock, upstream, applicationId } = await createConnected();
    clock.advance(HOUR_MS);
    upstream.script(refused, refused);
    await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'connection_not_configured' });
    clock.advance(1000);
    await credentials.current(resolved);
    expect((await connections.get(applicationId, 'mail')).statusReason).toBeUndefined();
  });
});

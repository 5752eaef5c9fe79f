import { calendar } from '@svc/calendar';
import { AccountNotAuthorizedError, type ConnectedAccount, UpstreamError } from '@svc/core';
import { approve } from '@svc/sandbox';
import { workspace } from '@svc/workspace';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/rejection.js';
import { connectApart } from '../support/service/connect-apart.js';
import { type Service, startService } from '../support/service/service.js';

const PARALLEL = 100;

let service: Service;

beforeAll(async () => {
  // After an outage, the next refresh waits for a random part of a second. A random number of 0 removes the wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service = await startService();
});

afterAll(() => service.stop());

/** Disables the client's retries, so that the test sees only the retries of the service. */
const ONCE = { maxRetries: 0 };

// Two upstreams. The calendar keeps its refresh token. The workspace rotates the refresh token, and revokes the grant
// if an old one is reused.
const UPSTREAMS = [
  {
    connector: 'calendar',
    api: '/calendar/v3/users/me/calendarList',
    token: '/token',
    read: (account: ConnectedAccount) => calendar(service.svc, account).listCalendars({}, ONCE),
  },
  {
    connector: 'workspace',
    api: '/v1/users',
    token: '/v1/oauth/token',
    read: (account: ConnectedAccount) => workspace(service.svc, account).usersList({}, ONCE),
  },
];

afterEach(async () => {
  for (const { connector } of UPSTREAMS) await service.sandbox.dials(connector, { failNext: null });
});

const proxied = ({ connectionName, identifier }: ConnectedAccount, path: string) =>
  service.svc.request({ connectionName, identifier, path, method: 'GET' });

/** Returns the requests that the upstream received since the last reset, each with its status. */
async function exchanges(): Promise<(readonly [string, number])[]> {
  return (await service.sandbox.requests()).map(({ path, status }) => [path, status] as const);
}

const statusOf = async ({ connectionName, identifier }: ConnectedAccount) =>
  (await service.svc.getOrCreateConnectedAccount({ connectionName, identifier })).status;

describe.each(UPSTREAMS)('an expired token of $connector', ({ connector, api, token, read }) => {
  async function connectExpired(): Promise<ConnectedAccount> {
    const account = await connectApart(service, connector);
    await service.sandbox.expireTokens(connector);
    await service.sandbox.clearRequests();
    return account;
  }
  const renewed = [
    [api, 401],
    [token, 200],
    [api, 200],
  ];

  test('R10: is renewed once, invisibly to the caller of a tool', async () => {
    const account = await connectExpired();

    await read(account);
    await read(account);

    expect(await exchanges()).toEqual([...renewed, [api, 200]]);
  });

  test('R10: is renewed once, invisibly to the caller of the proxy', async () => {
    const account = await connectExpired();

    const { status } = await proxied(account, api);

    expect(status).toBe(200);
    expect(await exchanges()).toEqual(renewed);
  });

  test('R1: is renewed with one token request for many simultaneous calls', async () => {
    const account = await connectExpired();

    const replies = await Promise.all(Array.from({ length: PARALLEL }, () => proxied(account, api)));

    expect(replies.map(({ status }) => status)).toEqual(Array<number>(PARALLEL).fill(200));
    expect((await exchanges()).filter(([path]) => path === token)).toEqual([[token, 200]]);
  });

  test('is renewed each time it expires', async () => {
    const account = await connectExpired();

    for (let round = 0; round < 3; round += 1) {
      await service.sandbox.expireTokens(connector);
      await read(account);
    }

    expect(await exchanges()).toEqual([...renewed, ...renewed, ...renewed]);
  });

  test('R10: returns the 401 of the upstream when the new token is refused too, without a second refresh', async () => {
    const account = await connectExpired();
    await service.sandbox.dials(connector, { failNext: { count: 3, status: 401 } });

    const errors = [await rejection(read(account)), await rejection(proxied(account, api))];

    for (const error of errors) {
      expect(error).toBeInstanceOf(UpstreamError);
      expect(error).toMatchObject({ status: 401, body: expect.anything() });
    }
    await read(account);
    expect(await exchanges()).toEqual([
      [api, 401],
      [token, 200],
      [api, 401],
      [api, 401],
      [api, 200],
    ]);
  });

  test('requires reauthorization after the grant was revoked, without further token requests', async () => {
    const account = await connectExpired();
    await service.sandbox.revokeGrants(connector);

    const first = await rejection(read(account));
    const refreshes = await exchanges();
    const second = await rejection(read(account));

    for (const error of [first, second]) {
      expect(error).toBeInstanceOf(AccountNotAuthorizedError);
      expect(error).toMatchObject({ status: 409, message: expect.stringContaining('has ended') });
    }
    expect(refreshes).toEqual([
      [api, 401],
      [token, 400],
    ]);
    expect(await exchanges()).toEqual(refreshes);
    expect(await statusOf(account)).toBe('reauthorization_required');
  });

  test('works again with the same account after the user consented again', async () => {
    const account = await connectExpired();
    await service.sandbox.revokeGrants(connector);

    const error = await rejection(read(account));
    if (!(error instanceof AccountNotAuthorizedError)) throw error;
    await approve((await error.getLink()).link, { user: 'ada' });

    expect(await statusOf(account)).toBe('authorized');
    await expect(read(account)).resolves.toMatchObject({ executionId: expect.any(String) });
  });

  test.each([
    { title: 'responds 503', dial: { status: 503, body: 'down' } },
    { title: 'responds 429', dial: { status: 429, headers: { 'retry-after': '0' } } },
    { title: 'responds with invalid data', dial: { status: 200, body: '<html></html>' } },
  ])('keeps the account authorized when the token endpoint $title', async ({ dial }) => {
    const account = await connectExpired();
    const failNext = { count: 1, match: { path: token }, ...dial };
    await service.sandbox.dials(connector, { failNext });

    const error = await rejection(read(account));

    expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 1 });
    expect(await statusOf(account)).toBe('authorized');
    await expect(read(account)).resolves.toMatchObject({ executionId: expect.any(String) });
  });

  test('keeps the account authorized and names the connection when its client is refused', async () => {
    const account = await connectExpired();
    const body = { error: 'invalid_client', code: 'invalid_client' };
    await service.sandbox.dials(connector, {
      failNext: { count: 2, status: 401, body, match: { path: token } },
    });

    const error = await rejection(read(account));

    expect(error).toMatchObject({
      code: 'connection_not_configured',
      message: expect.stringContaining(`PATCH /v1/connections/${account.connectionName}`),
    });
    expect(await statusOf(account)).toBe('authorized');
    await expect(read(account)).resolves.toMatchObject({ executionId: expect.any(String) });
  });
});

test('returns the 401 for a body too large to buffer, and renews the token for the next call', async () => {
  const account = await connectApart(service, 'workspace');
  await service.sandbox.expireTokens('workspace');
  const upload = { path: '/v1/pages', method: 'POST', form_data: new Blob(['x'.repeat(2 ** 21)]) } as const;

  const first = await rejection(service.svc.request({ ...account, ...upload }));
  await service.sandbox.clearRequests();
  const second = await rejection(service.svc.request({ ...account, ...upload }));

  expect(first).toMatchObject({ code: 'upstream_failed', status: 401 });
  expect(second).toMatchObject({ code: 'upstream_failed', status: 413 });
  expect(await exchanges()).toEqual([['/v1/pages', 413]]);
});

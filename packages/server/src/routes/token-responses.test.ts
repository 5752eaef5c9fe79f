import { describe, expect, test } from 'vitest';
import { createConnect } from '../../test/support/service/create-connect.js';
import type { ReceivedRequest } from '../../test/support/upstreams/authorization-server.js';

const granted = { access_token: 'access', token_type: 'Bearer', user: 'ada' };
const big = JSON.stringify({ ...granted, filler: 'x'.repeat(64 * 1024) });
const HOUR_MS = 3_600_000;

async function complete(tokenResponse: object, { isApproved = true } = {}) {
  const connect = await createConnect();
  const callback = await connect.approve();
  connect.upstream.script(() => ({ status: 200, body: tokenResponse }));
  const reply = await connect.open(callback);
  expect(reply.statusCode).toBe(isApproved ? 303 : 403);
  return connect;
}

describe('O18: a token response', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'is accepted with the token type %s',
    async (token_type) => {
      const { account } = await complete({ ...granted, token_type });
      expect(await account('ada')).toMatchObject({ status: 'authorized' });
    },
  );

  test.each([
    { expires_in: 120, life: 120_000 },
    { expires_in: '120', life: 120_000 },
    { expires_in: undefined, life: undefined },
    { expires_in: null, life: undefined },
    { expires_in: 'soon', life: undefined },
    { expires_in: -1, life: undefined },
  ])('is read with expires_in $expires_in as $life ms', async ({ expires_in, life }) => {
    const { row, now } = await complete({ ...granted, expires_in });
    expect((await row('ada')).expiresAt).toBe(life === undefined ? null : now() + life);
  });

  test('stores a narrower scope and returns it to the application', async () => {
    const { app } = await complete({ ...granted, scope: 'read:little' });
    const account = await app.inject({ url: '/v1/connections/mail/accounts/ada' });
    expect(account.json()).toMatchObject({ status: 'authorized', scopes: ['read:little'] });
  });

  test('keeps the old refresh token when a refresh returns none', async () => {
    const { row, credentials, resolve, applicationId, upstream, clock } = await complete({
      ...granted,
      refresh_token: 'refresh',
      expires_in: 60,
    });
    const before = await row('ada');
    upstream.script(() => ({ status: 200, body: { ...granted, access_token: 'newer', expires_in: 60 } }));
    clock.advance(HOUR_MS);
    const account = await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' });
    expect((await credentials.current(account)).secret.reveal()).toBe('newer');
    expect((await row('ada')).refreshToken).toBe(before.refreshToken);
  });

  test.each([
    { title: 'a body above 64 KiB', body: JSON.parse(big) },
    { title: 'another token type', body: { ...granted, token_type: 'mac' } },
    { title: 'a line break in the token', body: { ...granted, access_token: 'a\r\nb' } },
    { title: 'no token', body: { token_type: 'Bearer' } },
    { title: 'a list', body: [granted] },
  ])('is refused with $title', async ({ body }) => {
    const { account } = await complete(body, { isApproved: false });
    expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
  });
});

describe('O12: the redirect of a token endpoint', () => {
  const redirect = (received: ReceivedRequest[]) => (request: ReceivedRequest) => {
    received.push(request);
    return { status: 307, headers: { location: '/elsewhere' }, body: granted };
  };

  test('is not followed in a code exchange', async () => {
    const received: ReceivedRequest[] = [];
    const { approve, open, upstream, account } = await createConnect();
    const callback = await approve();
    upstream.script(redirect(received));
    expect((await open(callback)).statusCode).toBe(403);
    expect(upstream.requests).toEqual(received);
    expect(await account('ada')).toMatchObject({ status: 'unauthorized' });
  });

  test('is not followed in a refresh', async () => {
    const received: ReceivedRequest[] = [];
    const { connect, credentials, clock, upstream } = await createConnect();
    const account = await connect('ada');
    clock.advance(HOUR_MS);
    const before = upstream.requests.length;
    upstream.script(redirect(received));
    await expect(credentials.current(account)).rejects.toMatchObject({ code: 'unavailable' });
    expect(upstream.requests.slice(before)).toEqual(received);
    expect(received).toHaveLength(1);
  });

  test('is not followed in a revocation', async () => {
    const received: ReceivedRequest[] = [];
    const { connect, accounts, applicationId, upstream } = await createConnect();
    await connect('ada');
    const before = upstream.requests.length;
    upstream.script(redirect(received));
    await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
    expect(upstream.requests.slice(before)).toEqual(received);
    expect(received).toHaveLength(1);
  });
});

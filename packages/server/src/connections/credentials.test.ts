import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createConnected, HOUR_MS } from '../../test/support/service/create-connected.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { createCore } from '../assembly/core.js';

test('a fresh token is used unchanged and read from the database once in 5 s', async () => {
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

test('R9: a token is cached until it has to be renewed', async () => {
  const { credentials, resolved, clock } = await createConnected({ expiresIn: 3600 });
  expect(credentials.cached(resolved)).toBeUndefined();
  const current = await credentials.current(resolved);
  expect(credentials.cached(resolved)).toBe(current);
  clock.advance(5001);
  expect(credentials.cached(resolved)).toBeUndefined();
  clock.advance(3_300_000 - 5002);
  await credentials.current(resolved);
  expect(credentials.cached(resolved)).toBeDefined();
  clock.advance(1);
  expect(credentials.cached(resolved)).toBeUndefined();
});

test('printing a credential reveals no token', async () => {
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
  { title: 'half of a lifetime of 30 s', expiresIn: 30, earlySeconds: 15 },
  { title: '300 s for a day given as a string', expiresIn: '86400', earlySeconds: 300 },
])('R9: a token is renewed $title before its expiry', async ({ expiresIn, earlySeconds }) => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ expiresIn });
  clock.advance((Number(expiresIn) - earlySeconds) * 1000 - 1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  clock.advance(1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(1);
});

test('R9: jitter makes the renewal earlier and never later', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ parts: { jitter: () => 0.5 } });
  clock.advance(HOUR_MS - 330_000 - 1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  clock.advance(1);
  await credentials.current(resolved);
  expect(refreshes()).toHaveLength(1);
});

test('R9: a token without a known lifetime is renewed only when the upstream refuses it', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected({ expiresIn: null });
  clock.advance(365 * 24 * HOUR_MS);
  const current = await credentials.current(resolved);
  expect(refreshes()).toHaveLength(0);
  const renewed = await credentials.renew(resolved, current);
  expect(renewed?.secret.reveal()).not.toBe(current.secret.reveal());
  expect(refreshes()).toHaveLength(1);
});

describe('R1: one refresh serves', () => {
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

  test('a late caller whose token is already replaced', async () => {
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

test('R3: a refresh continues when its callers have disconnected', async () => {
  const { credentials, resolved, refreshes, clock, upstream, row } = await createConnected();
  const before = await row('ada');
  clock.advance(HOUR_MS);
  const release = upstream.pause();
  const abandoned = credentials.current(resolved);
  release();
  await expect.poll(async () => (await row('ada')).version).toBeGreaterThan(before.version);
  await abandoned;
  expect(refreshes()).toHaveLength(1);
});

test('a response without a refresh token keeps the old one, and a narrower scope is stored', async () => {
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

describe('an account without a refresh token', () => {
  async function createWithoutRefreshToken() {
    const tenant = await createTenant();
    tenant.upstream.script(() => ({
      status: 200,
      body: { access_token: 'access', token_type: 'Bearer', expires_in: 3600 },
    }));
    return { ...tenant, resolved: await tenant.connect('ada') };
  }

  test('is used until its token expires, and then requires reauthorization', async () => {
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

  test('has no newer token when the upstream refuses its token', async () => {
    const { credentials, resolved } = await createWithoutRefreshToken();
    expect(await credentials.renew(resolved, await credentials.current(resolved))).toBeUndefined();
  });
});

test('R10: a token refused right after its renewal is renewed again after a minute', async () => {
  const { credentials, resolved, refreshes, clock } = await createConnected();
  const renewed = await credentials.renew(resolved, await credentials.current(resolved));
  if (renewed === undefined) throw new Error('It was not renewed.');
  credentials.notHelped(resolved, renewed);
  clock.advance(59_999);
  expect(await credentials.renew(resolved, renewed)).toBeUndefined();
  expect(refreshes()).toHaveLength(1);
  clock.advance(1);
  expect((await credentials.renew(resolved, renewed))?.version).toBeGreaterThan(renewed.version);
  expect(refreshes()).toHaveLength(2);
});

test('a change by another process is noticed within 5 s', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock } = tenant;
  const first = await credentials.current(resolved);
  const other = await createCore(tenant.given).credentials.renew(resolved, first);
  clock.advance(5001);
  expect((await credentials.current(resolved)).version).toBe(other?.version);
});

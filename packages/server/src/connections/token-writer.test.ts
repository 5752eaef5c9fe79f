import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../test/support/runner/rounds.js';
import { type Connected, createConnected, HOUR_MS } from '../../test/support/service/create-connected.js';
import { createCore } from '../assembly/core.js';
import { createTokenWriter } from './token-writer.js';

const takeAway = ({ database }: Connected) =>
  sql`alter table accounts rename to accounts_away`.execute(database);
const bringBack = ({ database }: Connected) =>
  sql`alter table accounts_away rename to accounts`.execute(database);

/** Refreshes a token while storing it fails, because the table of accounts is renamed before the token response. */
async function refreshWithoutDatabase(tenant: Connected) {
  const { credentials, resolved, refreshes, clock, upstream } = tenant;
  clock.advance(HOUR_MS);
  const before = refreshes().length;
  const release = upstream.pause();
  const refreshing = credentials.current(resolved);
  await expect.poll(() => refreshes().length).toBe(before + 1);
  await takeAway(tenant);
  release();
  return refreshing;
}

describe.each([{ rotates: true }, { rotates: false }])(
  'R5: new tokens that the database cannot store ($rotates)',
  (options) => {
    test('serve the waiting callers and are loaded after a restart', async () => {
      const tenant = await createConnected(options);
      const { resolved, refreshes, account } = tenant;
      for (let round = 1; round <= rounds(100); round += 1) {
        const renewed = await refreshWithoutDatabase(tenant);
        const texts = [...(await tenant.spool.read()).values()];
        expect(texts).toHaveLength(1);
        expect(texts.join()).not.toContain(renewed.secret.reveal());
        tenant.tokenWriter.close();
        await bringBack(tenant);
        const next = createCore(tenant.given);
        expect(await next.tokenWriter.load()).toEqual([]);
        expect((await next.credentials.current(resolved)).secret.reveal()).toBe(renewed.secret.reveal());
        expect((await tenant.spool.read()).size).toBe(0);
        expect(refreshes()).toHaveLength(round);
        tenant.clock.advance(5001);
      }
      expect(await account('ada')).toMatchObject({ status: 'authorized' });
    });

    test('are stored before the same process refreshes the account again', async () => {
      const tenant = await createConnected(options);
      const { credentials, resolved, refreshes, clock, row } = tenant;
      const renewed = await refreshWithoutDatabase(tenant);
      clock.advance(5001);
      await expect(credentials.current(resolved)).rejects.toThrow();
      await bringBack(tenant);
      expect((await credentials.current(resolved)).secret.reveal()).toBe(renewed.secret.reveal());
      expect(await row('ada')).toMatchObject({ version: renewed.version, refreshStartedAt: null });
      clock.advance(HOUR_MS);
      await credentials.current(resolved);
      expect(refreshes()).toHaveLength(2);
    });

    test('are stored in the background once the database is back', async () => {
      const tenant = await createConnected(options);
      const renewed = await refreshWithoutDatabase(tenant);
      await bringBack(tenant);
      await expect
        .poll(async () => (await tenant.row('ada')).version, { timeout: 20_000 })
        .toBe(renewed.version);
      await expect.poll(async () => (await tenant.spool.read()).size).toBe(0);
    });
  },
);

test('R5: a token that the upstream refuses before it is stored is renewed', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, refreshes } = tenant;
  const rejected = await refreshWithoutDatabase(tenant);
  await bringBack(tenant);
  const renewed = await credentials.renew(resolved, rejected);
  expect(renewed?.version).toBe(rejected.version + 1);
  expect(refreshes()).toHaveLength(2);
});

test('R5: tokens stay in memory when neither the database nor the disk can store them', async () => {
  const tenant = await createConnected();
  const write = async () => {
    throw new Error('no space left on device');
  };
  const { credentials } = createCore({ ...tenant.given, spool: { ...tenant.spool, write } });
  await expect(refreshWithoutDatabase({ ...tenant, credentials })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await bringBack(tenant);
  await credentials.current(tenant.resolved);
  expect(tenant.refreshes()).toHaveLength(1);
  expect(await tenant.account('ada')).toMatchObject({ status: 'authorized' });
});

test('R5: an old spool file does not overwrite newer tokens', async () => {
  const tenant = await createConnected({ rotates: false });
  await refreshWithoutDatabase(tenant);
  tenant.tokenWriter.close();
  const [[name = '', text = ''] = []] = await tenant.spool.read();
  await bringBack(tenant);
  const next = createCore(tenant.given);
  await next.tokenWriter.load();
  tenant.clock.advance(HOUR_MS);
  const latest = await next.credentials.current(tenant.resolved);

  await tenant.spool.write(name, text);
  const later = createCore(tenant.given);
  expect(await later.tokenWriter.load()).toEqual([]);
  expect(await tenant.row('ada')).toMatchObject({ version: latest.version });
  expect((await later.credentials.current(tenant.resolved)).secret.reveal()).toBe(latest.secret.reveal());
});

test('R5: a spool file for another row or version cannot be decrypted and is kept', async () => {
  const tenant = await createConnected();
  await refreshWithoutDatabase(tenant);
  tenant.tokenWriter.close();
  const [[name = '', text = ''] = []] = await tenant.spool.read();
  await tenant.spool.remove(name);
  const { id, version } = JSON.parse(text);
  const changed = {
    version: { ...JSON.parse(text), version: version + 1 },
    row: { ...JSON.parse(text), id: `${id}0` },
    nonsense: {},
  };
  for (const [key, value] of Object.entries(changed)) await tenant.spool.write(key, JSON.stringify(value));
  await bringBack(tenant);
  const { tokenWriter } = createCore(tenant.given);
  expect([...(await tokenWriter.load())].sort()).toEqual(['nonsense', 'row', 'version']);
  expect((await tenant.spool.read()).size).toBe(3);
});

test('R5: tokens of a deleted account are discarded', async () => {
  const tenant = await createConnected();
  await refreshWithoutDatabase(tenant);
  tenant.tokenWriter.close();
  await bringBack(tenant);
  await tenant.accounts.delete(tenant.applicationId, { connectionName: 'mail', identifier: 'ada' });
  const { tokenWriter } = createCore(tenant.given);
  expect(await tokenWriter.load()).toEqual([]);
  expect((await tenant.spool.read()).size).toBe(0);
});

test('R5: a consent without a refresh token keeps the newest one, which is only on disk', async () => {
  const tenant = await createConnected();
  await refreshWithoutDatabase(tenant);
  await bringBack(tenant);
  const { begin, clock, complete, credentials, resolved, upstream } = tenant;
  upstream.script(() => ({
    status: 200,
    body: { access_token: 'access-again', token_type: 'bearer', expires_in: 3600, user: 'ada' },
  }));
  await complete(upstream.approve((await begin('ada')).redirectTo));
  clock.advance(HOUR_MS);
  expect((await credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
});

test('O21: the deletion of an account revokes its newest token, which is only on disk', async () => {
  const tenant = await createConnected();
  await refreshWithoutDatabase(tenant);
  await bringBack(tenant);
  const { accounts, resolved, row, upstream, applicationId } = tenant;
  const [refresh] = upstream.tokenRequests('refresh_token');
  await accounts.deleteById(applicationId, resolved.id);
  const revoked = upstream.requests.filter(({ path }) => path === '/revoke');
  expect(revoked).toHaveLength(1);
  expect(revoked[0]?.parameters['token']).not.toBe(refresh?.parameters['refresh_token']);
  await expect(row('ada')).rejects.toThrow('no account');
});

test('R5: waiting tokens are stored outside of the request, although those of another account fail', async () => {
  const caller = new AsyncLocalStorage<string>();
  const stored = new Map<string, string | undefined>();
  let isAway = true;
  const change = async ({ id }: { readonly id: string }) => {
    if (isAway || id === 'acct_b') throw new Error('not stored');
    stored.set(id, caller.getStore());
    return {};
  };
  const writer = createTokenWriter({
    storage: { accounts: { change } },
    spool: { write: async () => undefined, remove: async () => undefined },
    cache: { drop: () => undefined },
    jitter: () => 1,
  } as never);
  const write = (id: string) =>
    writer.write({} as never, { id, version: 1, columns: {} } as never, () => 'sealed');
  await caller.run('request', () => Promise.all(['acct_a', 'acct_b', 'acct_c'].map(write)));
  isAway = false;
  await expect
    .poll(() => [...stored])
    .toEqual([
      ['acct_a', undefined],
      ['acct_c', undefined],
    ]);
  await writer.close();
});

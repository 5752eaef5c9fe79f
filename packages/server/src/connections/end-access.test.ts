import { describe, expect, test } from 'vitest';
import { SERVICE_EVENT } from '../../test/support/databases/sample-rows.js';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { createCore } from '../assembly/core.js';
import { createLock, type Lock } from '../storage/lock.js';

describe('O21: deleting an account', () => {
  const revocations = (requests: readonly { path: string }[]) =>
    requests.filter(({ path }) => path === '/revoke');

  test('revokes the access upstream and deletes the row', async () => {
    const { accounts, connect, credentials, upstream, database, applicationId } = await createTenant();
    const account = await connect('ada');
    await credentials.current(account);
    await accounts.deleteById(applicationId, account.id);
    expect(revocations(upstream.requests)).toHaveLength(1);
    expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await expect(credentials.current(account)).rejects.toMatchObject({ code: 'account_not_found' });
  });

  test.each([
    { title: 'tries three times when the upstream is down', statuses: [503, 503, 503], requests: 3 },
    { title: 'stops after a successful try', statuses: [503], requests: 2 },
    { title: 'accepts a refusal as final', statuses: [400], requests: 1 },
  ])('$title, and deletes the row', async ({ statuses, requests }) => {
    const { accountList, accounts, connect, upstream, applicationId } = await createTenant();
    await connect('ada');
    upstream.script(...statuses.map((status) => () => ({ status, body: { error: 'invalid_token' } })));
    await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
    expect(revocations(upstream.requests)).toHaveLength(requests);
    expect((await accountList.list(applicationId, { connectionName: 'mail' })).items).toEqual([]);
  });

  test('K7: erases payloads that were stored while the upstream revoked the access', async () => {
    const { accounts, connect, upstream, storage, database, applicationId } = await createTenant();
    const { id: accountId } = await connect('ada');
    const release = upstream.pause();
    const deleting = accounts.deleteById(applicationId, accountId);
    await expect.poll(() => revocations(upstream.requests)).toHaveLength(1);
    const event = { ...SERVICE_EVENT, applicationId, accountId, payload: 'sealed' };
    await storage.events.insert([event]);
    release();
    await deleting;
    const stored = database.selectFrom('events').select(['applicationId', 'payload']);
    expect(await stored.where('id', '=', event.id).execute()).toEqual([{ applicationId, payload: null }]);
  });

  test('ends a consent in flight, and revokes its tokens too', async () => {
    const { accounts, begin, complete, connect, row, upstream, applicationId } = await createTenant();
    const { id } = await connect('ada');
    const { redirectTo } = await begin('ada');
    upstream.script(async () => {
      await accounts.deleteById(applicationId, id);
      return undefined;
    });
    await expect(complete(upstream.approve(redirectTo))).rejects.toMatchObject({ code: 'conflict' });
    const revoked = revocations(upstream.requests) as typeof upstream.requests;
    expect(new Set(revoked.map(({ parameters }) => parameters['token'])).size).toBe(2);
    await expect(row('ada')).rejects.toThrow('no account');
  });

  test('starts again if the account was changed while its tokens were revoked', async () => {
    const { accounts, connect, row, storage, upstream, applicationId } = await createTenant();
    const { id } = await connect('ada');
    upstream.script(async () => {
      await storage.accounts.change(await row('ada'), { updatedAt: 1 });
      return undefined;
    });
    await accounts.deleteById(applicationId, id);
    expect(revocations(upstream.requests)).toHaveLength(2);
    await expect(row('ada')).rejects.toThrow('no account');
  });

  test('deletes the row even when the stored token cannot be read', async () => {
    const { accountList, accounts, connect, database, upstream, applicationId } = await createTenant();
    await connect('ada');
    await database.updateTable('accounts').set({ refreshToken: 'damaged' }).execute();
    await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
    expect(revocations(upstream.requests)).toHaveLength(0);
    expect((await accountList.list(applicationId, { connectionName: 'mail' })).items).toEqual([]);
  });

  test.each(['deleteById', 'revokeById'] as const)(
    '%s waits for a refresh in flight and revokes its new tokens',
    async (end) => {
      const { accounts, connect, credentials, clock, upstream, applicationId } = await createTenant();
      const account = await connect('ada');
      clock.advance(3_600_000);
      const release = upstream.pause();
      const using = credentials.current(account).catch((error: unknown) => error);
      await expect.poll(() => upstream.tokenRequests('refresh_token')).toHaveLength(1);
      const ending = accounts[end](applicationId, account.id);
      release();
      await Promise.all([using, ending]);
      const [revocation] = revocations(upstream.requests) as typeof upstream.requests;
      expect(upstream.tokenRequests('refresh_token')).toHaveLength(1);
      expect(revocation?.parameters['token']).not.toBe(
        upstream.tokenRequests('refresh_token')[0]?.parameters['refresh_token'],
      );
    },
  );
});

test('O21: a refresh whose lease was lost does not restore an account that was revoked elsewhere', async () => {
  const tenant = await createTenant();
  const { connect, credentials, clock, upstream, applicationId, given, row } = tenant;
  const account = await connect('ada');
  const fetch = async () => new Response();
  const other = createCore({ ...given, fetch, lock: createLock() });
  clock.advance(3_600_000);
  const release = upstream.pause();
  const using = credentials.current(account).catch((error: unknown) => error);
  await expect.poll(() => upstream.tokenRequests('refresh_token')).toHaveLength(1);
  expect(await other.accounts.revokeById(applicationId, account.id)).toMatchObject({ upstream: 'revoked' });
  release();
  expect(await using).toMatchObject({ code: 'account_not_authorized' });
  expect(await row('ada')).toMatchObject({ accessToken: null, refreshToken: null, credentials: '{}' });
});

test('F5: the lock of an account belongs to its application, so other applications do not wait', async () => {
  const own = createLock();
  const owners: unknown[] = [];
  const lock: Lock = Object.assign(
    (...[name, work, owner]: Parameters<Lock>) => {
      owners.push(owner);
      return own(name, work);
    },
    { graceMs: 0 },
  ) as Lock;
  const tenant = await createTenant({ parts: { lock } });
  const { accounts, connect, credentials, clock, applicationId } = tenant;
  const account = await connect('ada');
  clock.advance(3_600_000);
  await credentials.current(account);
  await accounts.revokeById(applicationId, account.id);
  await accounts.deleteById(applicationId, account.id);
  expect(owners).toEqual([applicationId, applicationId, applicationId]);
});

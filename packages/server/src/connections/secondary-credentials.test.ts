import { expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import type { AccountSecrets } from './account-secrets.js';

const ADA = { connectionName: 'keyed', identifier: 'ada' };

async function createKeyed() {
  const tenant = await createTenant();
  const { accounts, connections, credentials, resolve, applicationId } = tenant;
  await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
  const put = async (given: AccountSecrets) =>
    (await accounts.getOrCreate(applicationId, ADA, given)).account;
  const use = async (name?: string) =>
    credentials.current(
      await resolve.byName(applicationId, { connectionName: 'keyed', identifier: 'ada' }),
      name,
    );
  return { ...tenant, put, use };
}

test('each secondary credential is available by its name', async () => {
  const { put, use } = await createKeyed();
  expect(await put({ apiKey: 'main', credentials: { tracking_token: 'further' } })).toMatchObject({
    status: 'authorized',
    credentials: ['tracking_token'],
  });
  expect((await use()).secret.reveal()).toBe('main');
  expect((await use('tracking_token')).secret.reveal()).toBe('further');
});

test('a new secondary credential replaces the old one and keeps the others', async () => {
  const { put, use } = await createKeyed();
  await put({ apiKey: 'main', credentials: { tracking_token: 'first' } });
  expect((await use('tracking_token')).secret.reveal()).toBe('first');
  await put({ credentials: { tracking_token: 'second' } });
  expect((await use('tracking_token')).secret.reveal()).toBe('second');
  await put({ apiKey: 'other' });
  expect((await use()).secret.reveal()).toBe('other');
  expect((await use('tracking_token')).secret.reveal()).toBe('second');
});

test('a missing secondary credential is named in the error', async () => {
  const { put, use } = await createKeyed();
  await put({ apiKey: 'main' });
  await expect(use('tracking_token')).rejects.toMatchObject({
    code: 'account_not_authorized',
    status: 409,
    message:
      '"ada" has no credential "tracking_token" for "keyed" yet. Send { "credentials": { "tracking_token": "…" } } with PUT /v1/connections/keyed/accounts/ada, or create a link with POST /v1/connections/keyed/accounts/ada/authorization-link and show it to the user.',
    details: {
      identifier: 'ada',
      connectionName: 'keyed',
      credential: 'tracking_token',
      authorizationLinkPath: '/v1/connections/keyed/accounts/ada/authorization-link',
    },
  });
});

test('a secondary credential alone does not authorize the account', async () => {
  const { put, use } = await createKeyed();
  expect(await put({ credentials: { tracking_token: 'further' } })).toMatchObject({ status: 'unauthorized' });
  await expect(use('tracking_token')).rejects.toMatchObject({ code: 'account_not_authorized' });
});

test('renewing a refused secondary credential returns a newer one or nothing', async () => {
  const { put, use, credentials, resolve, applicationId } = await createKeyed();
  await put({ apiKey: 'main', credentials: { tracking_token: 'first' } });
  const account = await resolve.byName(applicationId, { connectionName: 'keyed', identifier: 'ada' });
  const rejected = await use('tracking_token');
  expect(await credentials.renew(account, rejected)).toBeUndefined();
  await put({ credentials: { tracking_token: 'second' } });
  expect((await credentials.renew(account, rejected))?.secret.reveal()).toBe('second');
});

test.each<{ title: string; connection: string; given: AccountSecrets; message: RegExp }>([
  {
    title: 'an unknown name',
    connection: 'keyed',
    given: { apiKey: 'main', credentials: { other: 'x' } },
    message: /^Keyed has no credential "other"\. Use only tracking_token\.$/,
  },
  {
    title: 'any secondary credential for a connector without them',
    connection: 'bearer',
    given: { bearerToken: 'main', credentials: { tracking_token: 'x' } },
    message: /^Bearer has no credential "tracking_token"\. Omit the field "credentials"\.$/,
  },
  {
    title: 'any secondary credential for a connector with OAuth',
    connection: 'mail',
    given: { credentials: { tracking_token: 'x' } },
    message: /^Mail uses OAuth/,
  },
])('an account refuses $title', async ({ connection, given, message }) => {
  const { accounts, connections, applicationId } = await createKeyed();
  await connections.create(applicationId, { connectionName: 'bearer', connector: 'bearer' });
  const name = { connectionName: connection, identifier: 'eve' };
  await expect(accounts.getOrCreate(applicationId, name, given)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
  await expect(accounts.get(applicationId, name)).rejects.toMatchObject({ code: 'account_not_found' });
});

test('a secondary credential is encrypted, bound to its row and name, and deleted with its account', async () => {
  const { accountList, put, accounts, database, clock, use, applicationId } = await createKeyed();
  const account = await put({ apiKey: 'main-key', credentials: { tracking_token: 'further-key' } });
  const listed = await accountList.list(applicationId, { connectionName: 'keyed' });
  const stored = await database.selectFrom('accounts').selectAll().execute();
  expect(JSON.stringify([account, listed, stored])).not.toMatch(/main-key|further-key/);

  const sealed: { tracking_token: string } = JSON.parse(stored[0]?.credentials ?? '{}');
  await database.updateTable('accounts').set({ accessToken: sealed.tracking_token }).execute();
  clock.advance(5001);
  await expect(use()).rejects.toMatchObject({ code: 'internal_error' });

  await accounts.delete(applicationId, ADA);
  expect(await database.selectFrom('accounts').selectAll().execute()).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { addApplication } from '../../test/support/service/service-parts.js';
import { ServiceError } from '../errors.js';

const ADA = { connectionName: 'mail', identifier: 'ada@example.com' };

async function createKeyed() {
  const tenant = await createTenant();
  const { applicationId, connections } = tenant;
  await connections.create(applicationId, { connectionName: 'keyed', connector: 'keyed' });
  await connections.create(applicationId, { connectionName: 'bearer', connector: 'bearer' });
  return tenant;
}

test('creates an account once', async () => {
  const { accounts, applicationId } = await createTenant();
  const first = await accounts.getOrCreate(applicationId, ADA);
  expect(first).toEqual({
    created: true,
    account: {
      id: expect.stringMatching(/^acct_[0-9a-f]{24}$/),
      ...ADA,
      connector: 'mail',
      status: 'unauthorized',
      scopes: [],
      credentials: [],
      metadata: {},
      tags: [],
      createdAt: '2026-11-20T09:00:00.000Z',
      updatedAt: '2026-11-20T09:00:00.000Z',
      etag: expect.any(String),
    },
  });
  expect(await accounts.getOrCreate(applicationId, ADA)).toEqual({ ...first, created: false });
  expect(await accounts.get(applicationId, ADA)).toEqual(first.account);
  expect(await accounts.getById(applicationId, first.account.id)).toEqual(first.account);
});

test('parallel first uses create one account', async () => {
  const { accounts, applicationId } = await createTenant();
  const all = await Promise.all(Array.from({ length: 20 }, () => accounts.getOrCreate(applicationId, ADA)));
  expect(new Set(all.map(({ account }) => account.id)).size).toBe(1);
  expect(all.filter(({ created }) => created)).toHaveLength(1);
});

test.each(['', 'a\nb', 'a\u0000', '\u0085', 'ä'.repeat(129), 'x'.repeat(257), '\ud800'])(
  'refuses the identifier %j',
  async (identifier) => {
    const { accounts, applicationId } = await createTenant();
    const create = accounts.getOrCreate(applicationId, { connectionName: 'mail', identifier });
    await expect(create).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/1 to 256 bytes/),
    });
  },
);

test.each(['a', 'a/b', '..', 'a b', 'ä'.repeat(128), '%2F', "o'brien"])(
  'accepts the identifier %j',
  async (identifier) => {
    const { accounts, applicationId } = await createTenant();
    const name = { connectionName: 'mail', identifier };
    await accounts.getOrCreate(applicationId, name);
    expect(await accounts.get(applicationId, name)).toMatchObject({ identifier });
  },
);

describe('an API key', () => {
  test.each([
    { connectionName: 'keyed', key: { apiKey: 'canary-key' } },
    { connectionName: 'bearer', key: { bearerToken: 'canary-key' } },
  ])('authorizes an account of $connectionName at once', async ({ connectionName, key }) => {
    const { accounts, resolve, credentials, database, applicationId } = await createKeyed();
    const { account, created } = await accounts.getOrCreate(
      applicationId,
      { connectionName, identifier: 'ada' },
      key,
    );
    expect([account.status, created]).toEqual(['authorized', true]);
    const resolved = await resolve.byId(applicationId, account.id);
    expect((await credentials.current(resolved)).secret.reveal()).toBe('canary-key');
    expect(JSON.stringify(await database.selectFrom('accounts').selectAll().execute())).not.toContain(
      'canary-key',
    );
  });

  test('replaces the earlier key at once', async () => {
    const { accounts, resolve, credentials, applicationId } = await createKeyed();
    const name = { connectionName: 'keyed', identifier: 'ada' };
    await accounts.getOrCreate(applicationId, name, { apiKey: 'first' });
    const resolved = await resolve.byName(applicationId, { connectionName: 'keyed', identifier: 'ada' });
    const first = await credentials.current(resolved);
    await accounts.getOrCreate(applicationId, name, { apiKey: 'second' });
    const second = await credentials.current(resolved);
    expect(second.secret.reveal()).toBe('second');
    expect(second.version).toBeGreaterThan(first.version);
    expect((await credentials.renew(resolved, first))?.version).toBe(second.version);
    expect(await credentials.renew(resolved, second)).toBeUndefined();
  });

  test.each([
    {
      connectionName: 'mail',
      key: { apiKey: 'x' },
      message: /^Mail uses OAuth and accepts no key/,
    },
    { connectionName: 'keyed', key: { bearerToken: 'x' }, message: /^Keyed accepts only apiKey/ },
    { connectionName: 'bearer', key: { apiKey: 'x' }, message: /^Bearer accepts only bearerToken/ },
    {
      connectionName: 'keyed',
      key: { apiKey: 'x', bearerToken: 'x' },
      message: /^Keyed accepts only apiKey/,
    },
  ])(
    'creates nothing when it has the wrong type for $connectionName: $key',
    async ({ connectionName, key, message }) => {
      const { accountList, accounts, applicationId } = await createKeyed();
      const create = accounts.getOrCreate(applicationId, { connectionName, identifier: 'ada' }, key);
      await expect(create).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(message),
      });
      expect((await accountList.list(applicationId, { connectionName })).items).toEqual([]);
    },
  );
});

test('lists accounts by identifier in pages', async () => {
  const { accountList, accounts, applicationId } = await createTenant();
  for (const identifier of ['c', 'a', 'b'])
    await accounts.getOrCreate(applicationId, { connectionName: 'mail', identifier });
  const first = await accountList.list(applicationId, { connectionName: 'mail', pageSize: 2 });
  const second = await accountList.list(applicationId, {
    connectionName: 'mail',
    pageSize: 2,
    pageToken: first.nextPageToken,
  });
  expect([first, second].map(({ items }) => items.map((item) => item.identifier))).toEqual([
    ['a', 'b'],
    ['c'],
  ]);
});

describe('the account resolver', () => {
  test('reports whether the connection or the account is missing', async () => {
    const { resolve, applicationId } = await createTenant();
    await expect(
      resolve.byName(applicationId, { connectionName: 'none', identifier: 'ada' }),
    ).rejects.toMatchObject({
      code: 'connection_not_found',
    });
    await expect(resolve.byId(applicationId, 'acct_none')).rejects.toMatchObject({
      code: 'account_not_found',
    });
    await expect(
      resolve.byName(applicationId, { connectionName: 'mail', identifier: 'a\nb' }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('explains how to get a link for an account without consent, even before it exists', async () => {
    const { accounts, resolve, applicationId } = await createTenant();
    const path = '/v1/connections/mail/accounts/ada%40example.com/authorization-link';
    const refusal = {
      code: 'account_not_authorized',
      message: `"ada@example.com" has not consented to "mail" yet. Create a link with POST ${path} and show it to the user.`,
      details: { ...ADA, status: 'unauthorized', authorizationLinkPath: path },
    };
    const byName = () => resolve.byName(applicationId, ADA);
    await expect(byName()).rejects.toMatchObject(refusal);
    await expect(resolve.unchecked(applicationId, ADA)).rejects.toMatchObject(refusal);
    await expect(accounts.get(applicationId, ADA)).rejects.toMatchObject({ code: 'account_not_found' });
    const { account } = await accounts.getOrCreate(applicationId, ADA);
    await expect(byName()).rejects.toMatchObject(refusal);
    await expect(resolve.byId(applicationId, account.id)).rejects.toMatchObject(refusal);
  });

  test('explains how to send the key of an account without one, even before it exists', async () => {
    const { accounts, resolve, applicationId } = await createKeyed();
    const name = { connectionName: 'keyed', identifier: 'ada' };
    const refusal = {
      code: 'account_not_authorized',
      message:
        '"ada" has no key for "keyed" yet. Send apiKey with PUT /v1/connections/keyed/accounts/ada, or create a link with POST /v1/connections/keyed/accounts/ada/authorization-link and show it to the user.',
      details: {
        ...name,
        status: 'unauthorized',
        authorizationLinkPath: '/v1/connections/keyed/accounts/ada/authorization-link',
      },
    };
    await expect(
      resolve.byName(applicationId, { connectionName: 'keyed', identifier: 'ada' }),
    ).rejects.toMatchObject(refusal);
    const { account } = await accounts.getOrCreate(applicationId, name);
    await expect(resolve.byId(applicationId, account.id)).rejects.toMatchObject(refusal);
  });

  test('prefers the base URL of the connection to the one of the connector', async () => {
    const { connect, connections, accounts, applicationId } = await createTenant();
    expect((await connect('ada')).baseUrl).toBe('https://api.mail.example.com');
    await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
    await connections.update(applicationId, 'mail', { baseUrl: 'https://eu.mail.example.com/api' });
    expect((await connect('ada')).baseUrl).toBe('https://eu.mail.example.com/api');
  });
});

describe('a resolved account', () => {
  const NAME = { connectionName: 'mail', identifier: 'ada' };

  test('is read from the database once in 5 s', async () => {
    const { resolve, connect, clock, database, applicationId } = await createTenant();
    const account = await connect('ada');
    await database.updateTable('connections').set({ baseUrl: 'https://other.example.com' }).execute();
    expect(await resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' })).toBe(account);
    expect(await resolve.byId(applicationId, account.id)).toBe(account);
    clock.advance(5001);
    expect((await resolve.byId(applicationId, account.id)).baseUrl).toBe('https://other.example.com');
  });

  test('A1: is cached for its own application only', async () => {
    const { resolve, connect, clock, applicationId } = await createTenant();
    const account = await connect(NAME.identifier);
    // A cached account comes without a promise.
    expect(resolve.byName(applicationId, NAME)).toBe(account);
    expect(resolve.byId(applicationId, account.id)).toBe(account);
    await expect(resolve.byName('app_other', NAME)).rejects.toMatchObject({ code: 'connection_not_found' });
    await expect(resolve.byId('app_other', account.id)).rejects.toMatchObject({ code: 'account_not_found' });
    clock.advance(5001);
    const read = resolve.byName(applicationId, NAME);
    expect(read).toBeInstanceOf(Promise);
    expect(await read).not.toBe(account);
  });

  test('T3: is given to a caller that may not use it neither from the cache nor from the database', async () => {
    const { resolve, connect, clock, applicationId } = await createTenant();
    const { id } = await connect(NAME.identifier);
    const refuse = () => {
      throw new ServiceError('not_permitted', 'The token does not allow this account.');
    };
    const refusal = { code: 'not_permitted' };
    for (const isCached of [true, false]) {
      if (!isCached) clock.advance(5001);
      await expect(async () => resolve.byName(applicationId, NAME, refuse)).rejects.toMatchObject(refusal);
      await expect(async () => resolve.byId(applicationId, id, refuse)).rejects.toMatchObject(refusal);
    }
  });

  test('is not returned for an id that looks like its name in a simultaneous request', async () => {
    const { resolve, connect, clock, applicationId } = await createTenant();
    const { id } = await connect('ada');
    clock.advance(5001);
    const byName = resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' });
    const missing = { code: 'account_not_found' };
    await expect(resolve.byId(applicationId, 'mail\nada')).rejects.toMatchObject(missing);
    expect((await byName).id).toBe(id);
  });

  test('is removed from the cache with its account, and a new account of the same name is found', async () => {
    const { accounts, resolve, connect, applicationId } = await createTenant();
    const { id } = await connect('ada');
    await accounts.deleteById(applicationId, id);
    await expect(resolve.byId(applicationId, id)).rejects.toMatchObject({ code: 'account_not_found' });
    await expect(
      resolve.byName(applicationId, { connectionName: 'mail', identifier: 'ada' }),
    ).rejects.toMatchObject({
      code: 'account_not_authorized',
    });
    expect((await connect('ada')).id).not.toBe(id);
  });
});

test('an account of another application does not exist', async () => {
  const tenant = await createTenant();
  const { accountList, accounts, resolve, connect } = tenant;
  const { id } = await connect('ada');
  const other = await addApplication(tenant, 'Other');
  const name = { connectionName: 'mail', identifier: 'ada' };
  const calls = (connectionName: string, accountId: string) => [
    () => accounts.get(other, { ...name, connectionName }),
    () => accounts.getOrCreate(other, { ...name, connectionName }),
    () => accountList.list(other, { connectionName }),
    () => accounts.delete(other, { ...name, connectionName }),
    () => accounts.getById(other, accountId),
    () => accounts.deleteById(other, accountId),
    () => accounts.revoke(other, { ...name, connectionName }),
    () => accounts.revokeById(other, accountId),
    () => resolve.byId(other, accountId),
    () => resolve.byName(other, { connectionName, identifier: 'ada' }),
  ];
  const outcomes = (connectionName: string, accountId: string) =>
    Promise.all(
      calls(connectionName, accountId).map((call) =>
        (async () => call())().then(
          () => 'allowed',
          ({ code, message }) =>
            `${code} ${message}`.replaceAll(accountId, 'ID').replaceAll(connectionName, 'NAME'),
        ),
      ),
    );
  expect(await outcomes('mail', id)).toEqual(await outcomes('none', 'acct_none'));
  expect(await tenant.account('ada')).toMatchObject({ status: 'authorized' });
});

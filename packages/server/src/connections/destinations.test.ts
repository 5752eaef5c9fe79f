import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createVerifying } from '../../test/support/service/create-connect.js';
import { createDiscovered } from '../../test/support/service/create-discovered.js';
import { createTenant, type Tenant } from '../../test/support/service/create-tenant.js';
import { startAuthorizationServer } from '../../test/support/upstreams/authorization-server.js';
import type { ConnectionSettings } from './connection-settings.js';

const ELSEWHERE = 'https://elsewhere.example.com';
const OWN = { clientId: 'client', clientSecret: 'secret' };

const HAS_ACCOUNTS = { code: 'conflict', details: { reason: 'has_accounts' } };
const SECRET_NEEDED = { code: 'conflict', details: { reason: 'client_secret_needed' } };
const CHANGED_MEANWHILE = { code: 'conflict', message: expect.stringContaining('at the same time') };

/** Allows every origin, so that tests can change the URLs of a connection freely. */
const anywhere = { parts: { isAllowedOrigin: () => true } };

async function createKeyed() {
  const tenant = await createTenant(anywhere);
  await tenant.connections.create(tenant.applicationId, { connectionName: 'keyed', connector: 'keyed' });
  return tenant;
}

interface Kind {
  readonly create: () => Promise<Tenant>;
  readonly connectionName: string;
  /** Client secret that a change of the URLs must include. Empty for connections without a client secret. */
  readonly client: ConnectionSettings;
  readonly moves: readonly ConnectionSettings[];
  readonly others: readonly ConnectionSettings[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  oauth2: {
    create: () => createTenant(anywhere),
    connectionName: 'mail',
    client: OWN,
    moves: [
      { baseUrl: ELSEWHERE },
      { baseUrl: 'https://api.mail.example.com/of-somebody-else' },
      { baseUrl: 'https://api.mail.example.com:8443' },
      { tokenEndpoint: `${ELSEWHERE}/token` },
      { revocationEndpoint: `${ELSEWHERE}/revoke` },
      { authorizationEndpoint: `${ELSEWHERE}/authorize` },
    ],
    others: [
      { baseUrl: 'https://API.mail.example.com:443//' },
      { scopes: ['write'] },
      { clientSecret: 'another' },
      OWN,
    ],
  },
  mcp_oauth: {
    create: () => createDiscovered({ settings: OWN }),
    connectionName: 'mail',
    client: OWN,
    moves: [{ baseUrl: ELSEWHERE }, { baseUrl: 'https://mcp.mail.example/of-somebody-else' }],
    others: [{ baseUrl: 'HTTPS://mcp.mail.example/'.toLowerCase() }, { scopes: ['write'] }, OWN],
  },
  api_key: {
    create: createKeyed,
    connectionName: 'keyed',
    client: {},
    moves: [
      { baseUrl: ELSEWHERE },
      { region: 'eu' },
      { hosts: { labels: ELSEWHERE } },
      { hosts: { tracking: ELSEWHERE } },
    ],
    others: [{ region: 'us' }, { hosts: { labels: 'https://labels.example.com' } }, { hosts: {} }],
  },
};

const rowsOf = ({ database }: Tenant) =>
  database.selectFrom('connections').selectAll().orderBy('name').execute();
const eventsOf = async ({ auditLog }: Tenant) => (await auditLog.list({})).items.map(({ action }) => action);

test.each(Object.entries(KINDS))(
  'D3: the addresses of a connection (%s) cannot change while it has accounts',
  async (_, { create, connectionName, client, moves, others }) => {
    const tenant = await create();
    const { accounts, connections, applicationId } = tenant;
    const update = (change: ConnectionSettings) => connections.update(applicationId, connectionName, change);
    const ada = { connectionName, identifier: 'ada' };
    await accounts.getOrCreate(applicationId, ada);
    const before = [await rowsOf(tenant), await eventsOf(tenant)];
    for (const move of moves)
      await expect(update({ ...move, ...client }), JSON.stringify(move)).rejects.toMatchObject(HAS_ACCOUNTS);
    expect([await rowsOf(tenant), await eventsOf(tenant)]).toEqual(before);
    for (const other of others) await expect(update(other), JSON.stringify(other)).resolves.toBeDefined();

    await accounts.delete(applicationId, ada);
    for (const move of moves) await expect(update({ ...move, ...client })).resolves.toBeDefined();
  },
);

describe('D3: the stored client secret', () => {
  test.each(['oauth2', 'mcp_oauth'])(
    'is bound to the client id and the server of its connection (%s)',
    async (kind) => {
      const { create, moves } = KINDS[kind] ?? {};
      const tenant = await create?.();
      if (tenant === undefined || moves === undefined) throw new Error(`There is no kind "${kind}".`);
      const { connections, applicationId } = tenant;
      const update = (change: ConnectionSettings) => connections.update(applicationId, 'mail', change);
      const before = await rowsOf(tenant);
      // A new base URL changes where the client secret is sent only for MCP servers. Other connectors send it to the
      // token endpoint.
      const moving = moves.filter(({ baseUrl }) => kind === 'mcp_oauth' || baseUrl === undefined);
      for (const change of [...moving, { clientId: 'another' }])
        await expect(update(change), JSON.stringify(change)).rejects.toMatchObject(SECRET_NEEDED);
      expect(await rowsOf(tenant)).toEqual(before);
      for (const change of [...moving, { clientId: 'another' }])
        expect(await update({ ...change, clientSecret: 'a new secret' })).toMatchObject(change);
    },
  );

  test('is bound to its issuer when the client id is set again without it', async () => {
    const tenant = await createDiscovered({ settings: OWN });
    const { begin, connections, said, links, applicationId, clock } = tenant;
    said.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    await begin('ada');
    await connections.update(applicationId, 'mail', { clientId: OWN.clientId });
    said.issuer = 'https://other.mail.example';
    clock.advance(2 * 60 * 60_000);
    const link = links.create(applicationId, { connectionName: 'mail', identifier: 'grace' });
    await expect(link).rejects.toMatchObject({ code: 'connection_not_configured' });
  });

  test('is not stored when the endpoints of the connection change in the meantime', async () => {
    const tenant = await createTenant();
    const { connections, storage, applicationId } = tenant;
    const { findByName } = storage.connections;
    vi.spyOn(storage.connections, 'findByName').mockImplementationOnce(async (...name) => {
      const read = await findByName(...name);
      await connections.update(applicationId, 'mail', { tokenEndpoint: `${ELSEWHERE}/token`, ...OWN });
      return read;
    });
    const late = connections.update(applicationId, 'mail', { clientSecret: 'a new secret' });
    await expect(late).rejects.toMatchObject(CHANGED_MEANWHILE);
    const [row] = await storage.connections.list(applicationId, '', 1);
    expect(row?.tokenEndpoint).toBe(`${ELSEWHERE}/token`);
    const plain = await tenant.vault.open(
      { applicationId, table: 'connections', rowId: String(row?.id), column: 'client_secret' },
      String(row?.clientSecret),
    );
    expect(plain.reveal()).toBe(OWN.clientSecret);
  });
});

test('D3: an account is not created when the endpoints of its connection change in the meantime', async () => {
  const tenant = await createKeyed();
  const { accounts, connections, storage, applicationId } = tenant;
  const { findByName } = storage.accounts;
  vi.spyOn(storage.accounts, 'findByName').mockImplementationOnce(async (...name) => {
    await connections.update(applicationId, 'keyed', { baseUrl: ELSEWHERE });
    return findByName(...name);
  });
  const ada = { connectionName: 'keyed', identifier: 'ada' };
  await expect(accounts.getOrCreate(applicationId, ada, { apiKey: 'a key' })).rejects.toMatchObject(
    CHANGED_MEANWHILE,
  );
  await expect(accounts.get(applicationId, ada)).rejects.toMatchObject({ code: 'account_not_found' });
});

describe('D3: a simultaneous change of a connection and new account', () => {
  async function createRace() {
    const tenant = await createKeyed();
    const { accounts, connections, storage, applicationId } = tenant;
    const keyed = await storage.connections.findByName(applicationId, 'keyed');
    if (keyed === undefined) throw new Error('There is no connection.');
    const ada = { connectionName: 'keyed', identifier: 'ada' };
    const make = () => accounts.getOrCreate(applicationId, ada, { apiKey: 'a key' });
    const move = () => connections.update(applicationId, 'keyed', { baseUrl: ELSEWHERE });
    return { ...tenant, keyed, make, move };
  }

  test('creates no account before the change is committed', async () => {
    const { storage, keyed, make } = await createRace();
    const { made, isMade } = await storage.transaction(async (tables) => {
      await tables.connections.change(keyed, { baseUrl: ELSEWHERE, updatedAt: keyed.updatedAt + 1 });
      const outcome = make().catch((error: unknown) => error);
      // Waits long enough to detect a missing lock: without the lock, the account would be created within 200 ms.
      await wait(200);
      return { made: outcome, isMade: await tables.accounts.hasAny(keyed) };
    });
    await made;
    expect(isMade).toBe(false);
  });

  test.each(['share', 'lock'] as const)(
    'makes no change before an account of %s is committed',
    async (hold) => {
      const { storage, database, keyed, move, connect, applicationId } = await createRace();
      await connect('ada');
      const account = await database.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
      const { moved } = await storage.transaction(async (tables) => {
        await tables.connections[hold](keyed);
        await tables.accounts.insert({ ...account, id: 'acct_new', connectionId: keyed.id });
        const outcome = move().catch((error: unknown) => error);
        await wait(200);
        return { moved: outcome };
      });
      expect(await moved).toMatchObject(HAS_ACCOUNTS);
      expect(await storage.connections.findByName(applicationId, 'keyed')).toEqual(keyed);
    },
  );
});

describe('D3: tokens that are not stored', () => {
  test('are revoked at their own server when the endpoints change during the consent', async () => {
    const evil = await startAuthorizationServer();
    const { begin, complete, connections, accounts, storage, upstream, applicationId } =
      await createTenant(anywhere);
    const { redirectTo } = await begin('ada');
    const { find } = storage.accounts;
    vi.spyOn(storage.accounts, 'find').mockImplementationOnce(async (...id) => {
      await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
      const { revocationEndpoint } = evil;
      await connections.update(applicationId, 'mail', { revocationEndpoint, ...OWN });
      return find(...id);
    });
    await expect(complete(upstream.approve(redirectTo))).rejects.toMatchObject({ code: 'conflict' });
    expect(upstream.requests.filter(({ path }) => path === '/revoke')).toHaveLength(1);
    expect(evil.requests).toEqual([]);
  });

  test('are not sent when the account is deleted and the endpoints have changed', async () => {
    const evil = await startAuthorizationServer();
    const { reachVerification, verify, revocations, connections, accounts, storage, applicationId } =
      await createVerifying(anywhere);
    const authRequestId = await reachVerification('ada');
    const { hasSubject } = storage.accounts;
    vi.spyOn(storage.accounts, 'hasSubject').mockImplementationOnce(async (...subject) => {
      await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
      const { revocationEndpoint } = evil;
      await connections.update(applicationId, 'mail', { revocationEndpoint, ...OWN });
      return hasSubject(...subject);
    });
    expect((await verify(authRequestId, 'grace')).statusCode).toBe(403);
    expect([await revocations(), evil.requests]).toEqual([[], []]);
  });
});

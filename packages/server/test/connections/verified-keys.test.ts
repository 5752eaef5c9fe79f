import { ServiceError } from '@svc/core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());
afterEach(() => service.sandbox.reset());

const WRONG = 'no-key-of-the-sandbox';

const REFUSED = [
  { connector: 'convintel', secrets: { bearerToken: WRONG }, field: 'bearerToken', by: 'Jiminny' },
  { connector: 'scrapermcp', secrets: { bearerToken: WRONG }, field: 'bearerToken', by: 'Apify' },
  {
    connector: 'network',
    secrets: { apiKey: 'sandbox', credentials: { scraper_token: WRONG } },
    field: 'credentials.scraper_token',
    // The token belongs to another company than the API key.
    by: 'The upstream',
  },
];

describe.each(REFUSED)('a wrong $field of $connector', ({ connector, secrets, field, by }) => {
  const account = { connectionName: connector, identifier: `wrong_${field}` };

  test('is refused and not stored', async () => {
    const error = await rejection(service.svc.getOrCreateConnectedAccount({ ...account, ...secrets }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      details: { reason: 'key_refused', field, status: 401 },
      message: expect.stringContaining(`${by} refused ${field} `),
    });
    expect(String(error)).not.toContain(WRONG);
    const path = `/v1/connections/${connector}/accounts/${account.identifier}`;
    expect(await rejection(service.svc.call({ method: 'GET', path }))).toMatchObject({
      code: 'account_not_found',
    });
  });

  test('keeps an earlier key', async () => {
    const { identifier } = await connectAccount(service, connector, `earlier_${field}`);
    const put = { connectionName: connector, identifier, ...secrets };
    expect(await rejection(service.svc.getOrCreateConnectedAccount(put))).toMatchObject({
      code: 'invalid_request',
    });
    const { connectionName } = account;
    expect(await service.svc.getOrCreateConnectedAccount({ connectionName, identifier })).toMatchObject({
      status: 'authorized',
    });
  });

  test('is stored with verify: false', async () => {
    const put = { ...account, ...secrets, verify: false };
    expect(await service.svc.getOrCreateConnectedAccount(put)).toMatchObject({
      status: 'authorized',
      notTested: true,
    });
  });
});

test.each([
  { title: 'responds 500', status: 500 },
  { title: 'responds 429', status: 429 },
])('an upstream that $title does not block a key', async ({ status }) => {
  await service.sandbox.dials('convintel', { failNext: { count: 1, status } });
  const put = { connectionName: 'convintel', identifier: `while_${status}`, bearerToken: WRONG };
  const account = await service.svc.getOrCreateConnectedAccount(put);
  expect(account).toMatchObject({ status: 'authorized', notTested: true });
  expect(account).not.toHaveProperty('connectedAs');
});

test('an account is no longer untested after a call with its key has succeeded', async () => {
  const account = { connectionName: 'convintel', identifier: 'proved' };
  const put = { ...account, bearerToken: 'sandbox-key', verify: false };
  expect(await service.svc.getOrCreateConnectedAccount(put)).toMatchObject({ notTested: true });
  const path = '/v1/tools/convintel_organization_get/execute';
  await service.svc.call({ method: 'POST', path, body: { ...account, toolInput: {} } });
  await expect.poll(() => service.svc.getOrCreateConnectedAccount(account)).not.toHaveProperty('notTested');
});

describe('an untested key', () => {
  const account = { connectionName: 'network', identifier: 'untested' };
  const credentials = { scraper_token: 'sandbox-scraper', timetracking_token: 'sandbox-timetracking' };
  const put = (secrets: object) => service.svc.getOrCreateConnectedAccount({ ...account, ...secrets });

  test('stays untested when the upstream accepts a secondary credential', async () => {
    expect(await put({ apiKey: 'sandbox-network' })).toMatchObject({ notTested: true });
    expect(await put({ credentials })).toMatchObject({ notTested: true });
    const toolInput = { account_id: '123456' };
    await service.svc.executeTool({ toolName: 'network_timetracking_company_get', toolInput, ...account });
    expect(await put({})).toMatchObject({ notTested: true });
  });

  test('stays tested when a secondary credential is added', async () => {
    await put({ apiKey: 'sandbox-network' });
    const toolInput = { search: 'London' };
    await service.svc.executeTool({ toolName: 'network_geo_search', toolInput, ...account });
    await expect.poll(() => put({})).not.toHaveProperty('notTested');
    expect(await put({ credentials })).not.toHaveProperty('notTested');
  });
});

test('accounts are listed by whether their key is tested', async () => {
  const keyOf = (identifier: string) => ({
    connectionName: 'convintel',
    identifier,
    bearerToken: 'sandbox-key',
  });
  await service.svc.getOrCreateConnectedAccount({ ...keyOf('listed_new'), verify: false });
  await service.svc.getOrCreateConnectedAccount(keyOf('listed_tested'));
  const list = async (notTested: boolean) => {
    const path = `/v1/accounts?identifier=listed_&status=authorized&notTested=${notTested}`;
    const { items } = await service.svc.call<{ items: { identifier: string }[] }>({ method: 'GET', path });
    return items.map(({ identifier }) => identifier);
  };
  expect([await list(true), await list(false)]).toEqual([['listed_new'], ['listed_tested']]);
});

const IDENTITIES = {
  convintel: { workspace: expect.any(String) },
  scrapermcp: { name: expect.any(String) },
  workspace: { name: 'ada@example.com', workspace: expect.any(String) },
};

test.each(Object.entries(IDENTITIES))(
  'an account of %s contains the name of the connected user',
  async (connector, names) => {
    const { connectedAs } = await connectAccount(service, connector, 'named');
    expect(connectedAs).toMatchObject(names);
  },
);

test.each([
  { connector: 'calendar', scope: 'https://www.googleapis.com/auth/userinfo.email' },
  { connector: 'filesite', scope: 'profile' },
])(
  'an account of $connector contains the name of the connected user if the scope allows it',
  async (given) => {
    const { connector: connectionName, scope } = given;
    const path = `/v1/connections/${connectionName}`;
    const { scopes } = await service.svc.call<{ scopes: string[] }>({ method: 'GET', path });
    await service.svc.call({ method: 'PATCH', path, body: { scopes: [...scopes, scope] } });
    const { connectedAs } = await connectAccount(service, connectionName, 'named');
    expect(connectedAs).toEqual({ name: 'ada@example.com' });
  },
);

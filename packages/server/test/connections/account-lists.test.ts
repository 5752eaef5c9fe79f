import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEverything } from '../support/requests/list-everything.js';
import { type Application, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

interface Account {
  readonly id: string;
  readonly connectionName: string;
  readonly identifier: string;
  readonly status: string;
  readonly usedAt?: string;
  readonly refreshedAt?: string;
  readonly expiresAt?: string;
}

// Identifiers in byte order, which differs from the order of locale-aware sorting.
const IDENTIFIERS = [
  'Ada',
  'a b',
  'a-b',
  'a.b',
  'a_1',
  'aa',
  'ada',
  'adam',
  'ada%',
  'ab',
  'b',
  'ä',
  'ada\u{10fffd}',
];
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

let service: Service;
let application: Application;
const get = (path: string) => application.call('GET', path);
const list = (query = '') => listEverything<Account>(get, `/v1/accounts${query}`);

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'convintel'] });
  application = await signIn(service);
  for (const identifier of IDENTIFIERS)
    await application.call('PUT', `/v1/connections/calendar/accounts/${encodeURIComponent(identifier)}`);
  for (const identifier of ['ada', 'a b', 'zoe'])
    await application.call('PUT', `/v1/connections/convintel/accounts/${encodeURIComponent(identifier)}`, {
      body: { bearerToken: 'sandbox-token' },
    });
});
afterAll(() => service.stop());

const identifiersOf = (accounts: readonly Account[]) => accounts.map(({ identifier }) => identifier);

describe('the list of accounts of all connections', () => {
  test('sorts by the bytes of the identifiers and pages without duplicates', async () => {
    const accounts = await list('?pageSize=3');
    expect(identifiersOf(accounts)).toEqual([...IDENTIFIERS, 'ada', 'a b', 'zoe'].sort(byBytes));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(accounts.length);
  });

  test.each(['a', 'ada', 'ada%', 'A', 'a_', 'ä', 'nobody'])(
    'filters by the identifier prefix %s',
    async (prefix) => {
      const wanted = IDENTIFIERS.filter((identifier) => identifier.startsWith(prefix)).sort(byBytes);
      const query = `identifier=${encodeURIComponent(prefix)}&pageSize=2`;
      expect(identifiersOf(await list(`?connectionName=calendar&${query}`))).toEqual(wanted);
      expect(new Set(identifiersOf(await list(`?${query}`)))).toEqual(new Set(wanted));
      expect(identifiersOf(await list(`?status=unauthorized&${query}`))).toEqual(wanted);
    },
  );

  test('filters by status, with and without a connection', async () => {
    const authorized = await list('?status=authorized&pageSize=2');
    expect(authorized.map(({ connectionName }) => connectionName)).toEqual(Array(3).fill('convintel'));
    expect(identifiersOf(authorized)).toEqual(['a b', 'ada', 'zoe']);
    expect(await list('?status=authorized&connectionName=calendar')).toEqual([]);
    expect(identifiersOf(await list('?status=authorized&connectionName=convintel&pageSize=1'))).toEqual([
      'a b',
      'ada',
      'zoe',
    ]);
  });

  test('responds 404 for a connection that does not exist', async () => {
    const reply = await get('/v1/accounts?connectionName=missing');
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([404, 'connection_not_found']);
  });

  test('reports when tokens were refreshed, when they expire and when they were last used', async () => {
    const { id } = await connectAccount(service, 'calendar', 'used');
    const read = async () => (await get(`/v1/accounts/${id}`)).json<Account>();
    const before = await read();
    expect(before).not.toHaveProperty('usedAt');
    expect(Date.parse(before.expiresAt ?? '')).toBeGreaterThan(Date.parse(before.refreshedAt ?? ''));
    const began = Date.now();
    const body = { connectedAccountId: id, toolInput: {} };
    await application.call('POST', '/v1/tools/calendar_list_calendars/execute', { body });
    await expect.poll(async () => Date.parse((await read()).usedAt ?? '')).toBeGreaterThan(began - 1000);
  });
});

test('operators see how many accounts a list has, with the same filters', async () => {
  const { url, app, clientId } = service;
  const operator = await signInOperator({ url, ...(await app.operators.create('ada', 'reader')) });
  const countOf = async (query: string) =>
    (await operator.call('GET', `/applications/${clientId}/accounts/count${query}`)).json();
  for (const query of ['', '?identifier=ad', '?status=authorized', '?connectionName=convintel&identifier=a'])
    expect(await countOf(query)).toEqual({ count: (await list(query)).length, more: false });
  const missing = await operator.call('GET', `/applications/${clientId}/accounts/count?connectionName=none`);
  expect(missing.status).toBe(404);
});

test('the summary of a connection counts its accounts', async () => {
  const summary = await get('/v1/connections/convintel/summary');
  expect(summary.json()).toEqual({
    accounts: { unauthorized: 0, pending_verification: 0, authorized: 3, reauthorization_required: 0 },
    notTested: 0,
    more: false,
  });
  expect((await get('/v1/connections/missing/summary')).status).toBe(404);
  const { items } = (await get('/v1/connection-summaries')).json<{ items: { connectionName: string }[] }>();
  expect(items).toContainEqual({ connectionName: 'convintel', ...summary.json<object>() });
  const [first, second] = items.map(({ connectionName }) => connectionName);
  const page = (await get('/v1/connection-summaries?pageSize=1')).json<{ nextPageToken: string }>();
  expect(page).toMatchObject({ items: [{ connectionName: first }] });
  const next = await get(`/v1/connection-summaries?pageSize=1&pageToken=${page.nextPageToken}`);
  expect(next.json()).toMatchObject({ items: [{ connectionName: second }] });
});

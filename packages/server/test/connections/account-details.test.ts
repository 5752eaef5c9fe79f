import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEverything } from '../support/requests/list-everything.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

interface Account {
  readonly identifier: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly updatedAt: string;
}

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'convintel'] });
  application = await signIn(service);
});
afterAll(() => service.stop());

const pathOf = (identifier: string, connection = 'calendar') =>
  `/v1/connections/${connection}/accounts/${encodeURIComponent(identifier)}`;
const put = (identifier: string, body: object, connection?: string) =>
  application.call('PUT', pathOf(identifier, connection), { body });
const get = async (identifier: string) => (await application.call('GET', pathOf(identifier))).json<Account>();

describe('metadata and tags of an account', () => {
  test('are stored with a new account and returned with it', async () => {
    const details = { metadata: { plan: 'pro', 'crm.id': 'ä 42' }, tags: ['vip', 'beta'] };
    expect((await put('new', details)).json()).toMatchObject(details);
    expect(await get('new')).toMatchObject(details);
  });

  test('are empty by default', async () => {
    await put('plain', {});
    expect(await get('plain')).toMatchObject({ metadata: {}, tags: [] });
  });

  test('replace the earlier ones; absent ones stay', async () => {
    await put('changed', { metadata: { plan: 'pro', seats: '3' }, tags: ['vip'] });
    await put('changed', { metadata: { plan: 'free' } });
    expect(await get('changed')).toMatchObject({ metadata: { plan: 'free' }, tags: ['vip'] });
    await put('changed', { tags: [] });
    expect(await get('changed')).toMatchObject({ metadata: { plan: 'free' }, tags: [] });
    await put('changed', {});
    expect(await get('changed')).toMatchObject({ metadata: { plan: 'free' }, tags: [] });
  });

  test.each([
    { title: '21 tags', body: { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) } },
    { title: 'a tag of 65 characters', body: { tags: ['x'.repeat(65)] } },
    { title: 'an empty tag', body: { tags: [''] } },
    { title: 'a repeated tag', body: { tags: ['a', 'a'] } },
    { title: 'a tag with a NUL', body: { tags: ['a\0'] } },
    { title: 'a tag with half a surrogate pair', body: { tags: ['\ud800'] } },
    { title: 'a metadata value that is a number', body: { metadata: { seats: 3 } } },
    { title: 'a metadata value of 257 characters', body: { metadata: { note: 'x'.repeat(257) } } },
    { title: 'a metadata key with a colon', body: { metadata: { 'a:b': 'c' } } },
    {
      title: '21 metadata entries',
      body: { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])) },
    },
    {
      title: '2,049 bytes of metadata',
      body: {
        metadata: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, 'x'.repeat(256)])),
      },
    },
  ])('refuse $title, and nothing changes', async ({ body }) => {
    await put('bounded', { metadata: { plan: 'pro' }, tags: ['vip'] });
    const reply = await put('bounded', body);
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    expect(await get('bounded')).toMatchObject({ metadata: { plan: 'pro' }, tags: ['vip'] });
  });

  test('name the metadata key that is not allowed', async () => {
    const reply = await put('named', { metadata: { 'a:b': 'c' } });
    expect(reply.json()).toMatchObject({
      error: {
        message:
          'The body is invalid: "metadata" has a field "a:b", whose name must have at most 64 letters, digits, "_", "." and "-".',
        details: { errors: [{ field: 'metadata', rule: 'propertyNames' }] },
      },
    });
  });
});

describe('the list of accounts', () => {
  const list = async (query: string) => {
    const accounts = await listEverything<Account>(
      (path) => application.call('GET', path),
      `/v1/accounts${query}`,
    );
    return accounts.map(({ identifier }) => identifier);
  };

  beforeAll(async () => {
    for (const identifier of ['zoe', 'ada', 'Bob', 'ä'])
      await put(identifier, { tags: ['listed', 'old'], metadata: { team: 'red', note: 'a:b%_' } });
    await put('ada', { tags: ['listed', 'boss'] });
    await put('eve', { tags: ['listed'], metadata: { team: 'blue' } });
    await put(
      'zoe',
      { bearerToken: 'sandbox-token', tags: ['listed'], metadata: { team: 'red' } },
      'convintel',
    );
  });

  test.each([
    { query: '?tag=listed&pageSize=2', found: ['Bob', 'ada', 'eve', 'zoe', 'zoe', 'ä'] },
    { query: '?tag=boss', found: ['ada'] },
    { query: '?tag=old', found: ['Bob', 'zoe', 'ä'] },
    { query: '?metadata=team:red&pageSize=1', found: ['Bob', 'ada', 'zoe', 'zoe', 'ä'] },
    { query: '?metadata=team:re', found: [] },
    { query: '?metadata=note:a:b%25_', found: ['Bob', 'ada', 'zoe', 'ä'] },
    { query: '?metadata=team:red&tag=boss', found: ['ada'] },
    { query: '?metadata=team:blue&tag=boss', found: [] },
    { query: '?metadata=team:red&connectionName=convintel', found: ['zoe'] },
    { query: '?tag=listed&status=authorized', found: ['zoe'] },
    { query: '?tag=listed&identifier=z&pageSize=1', found: ['zoe', 'zoe'] },
    { query: '?tag=team:red', found: [] },
  ])('finds $query in the order of the identifiers', async ({ query, found }) => {
    expect(await list(query)).toEqual(found);
  });

  test('of one connection takes the same filters', async () => {
    const path = '/v1/connections/calendar/accounts?tag=listed&metadata=team:red&pageSize=1';
    const found = await listEverything<Account>((page) => application.call('GET', page), path);
    expect(found.map(({ identifier }) => identifier)).toEqual(['Bob', 'ada', 'zoe', 'ä']);
  });

  test('does not find an account that was deleted', async () => {
    await put('gone', { tags: ['leaving'] });
    expect(await list('?tag=leaving')).toEqual(['gone']);
    await application.call('DELETE', pathOf('gone'));
    expect(await list('?tag=leaving')).toEqual([]);
  });

  test.each(['?metadata=team', '?metadata=:red', `?tag=${'x'.repeat(65)}`])('refuses %s', async (query) => {
    expect((await application.call('GET', `/v1/accounts${query}`)).status).toBe(400);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApi, operationsOf } from '../../support/requests/operations.js';
import type { Reply } from '../../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../../support/service/operator.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';

interface Tagged {
  readonly etag: string;
  readonly items: readonly (Tagged & { readonly name: string })[];
}

/** Object that several people may change. */
interface Resource {
  readonly title: string;
  readonly method: 'PATCH' | 'PUT';
  readonly path: () => string;
  /** Body of a change, which differs by its number. */
  readonly body: (number: number) => object;
  /** Path of the list that contains the object. Only for objects that cannot be read alone. */
  readonly list?: string;
}

let service: Service;
let ada: SignedInOperator;
let bob: SignedInOperator;
let endpointId: string;
let watchId: string;

const inside = (path: string) => `/applications/${service.clientId}${path}`;
const RESOURCES: readonly Resource[] = [
  {
    title: 'an application',
    method: 'PATCH',
    path: () => inside(''),
    body: (number) => ({ origins: [`https://app${number}.example.com`] }),
  },
  {
    title: 'a connection',
    method: 'PATCH',
    path: () => inside('/connections/calendar'),
    body: (number) => ({ clientId: `client-${number}`, clientSecret: 'client-secret' }),
  },
  {
    title: 'the client secret of a connection',
    method: 'PATCH',
    path: () => inside('/connections/calendar'),
    body: (number) => ({ clientSecret: `client-secret-${number}` }),
  },
  {
    title: 'the sign-in for MCP clients',
    method: 'PUT',
    path: () => inside('/agent-access'),
    body: (number) => ({ signInUrl: `https://app.example.com/sign-in/${number}` }),
  },
  {
    title: 'the details of an account',
    method: 'PUT',
    path: () => inside('/connections/calendar/accounts/user_42'),
    body: (number) => ({ tags: [`tag-${number}`] }),
  },
  {
    title: 'a webhook endpoint',
    method: 'PATCH',
    path: () => inside(`/webhook-endpoints/${endpointId}`),
    body: (number) => ({ description: `Receiver ${number}` }),
  },
  {
    title: 'a watch',
    method: 'PATCH',
    path: () => inside(`/watches/${watchId}`),
    body: (number) => ({ every: 3600 + number, enabled: false }),
  },
  {
    title: 'an operator',
    method: 'PATCH',
    path: () => '/operators/grace',
    body: (number) => ({ role: number % 2 === 0 ? 'operator' : 'reader' }),
    list: '/operators',
  },
];

async function signIn(name: string): Promise<SignedInOperator> {
  return signInOperator({ url: service.url, ...(await service.app.operators.create(name, 'owner')) });
}

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  ada = await signIn('ada');
  bob = await signIn('bob');
  await service.app.operators.create('grace', 'owner');
  const endpoint = { url: 'https://hooks.example.com/svc', types: ['account.deleted'] };
  const created = await ada.call('POST', inside('/webhook-endpoints'), { body: endpoint });
  endpointId = created.json<{ id: string }>().id;
  const account = { connectionName: 'calendar', identifier: 'user_42' };
  const list = { ...account, toolName: 'calendar_list_events', toolInput: {}, every: 3600 };
  watchId = (await ada.call('POST', inside('/watches'), { body: list })).json<{ id: string }>().id;
});
afterAll(() => service.stop());

async function readEtag({ path, list }: Resource): Promise<string> {
  const body = (await ada.call('GET', list ?? path())).json<Tagged>();
  return list === undefined
    ? body.etag
    : (body.items.find(({ name }) => path().endsWith(`/${name}`))?.etag ?? '');
}

const change = (
  { method, path, body }: Resource,
  number: number,
  { by = ada, ifMatch }: { readonly by?: SignedInOperator; readonly ifMatch?: string } = {},
): Promise<Reply> =>
  by.call(method, path(), {
    body: body(number),
    ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
  });

describe.each(RESOURCES)('a change of $title', (resource) => {
  test('with the current ETag succeeds and returns a new one, also in the header', async () => {
    const before = await readEtag(resource);
    expect(before).toMatch(/^"[\w-]{22}"$/);
    const changed = await change(resource, 1, { ifMatch: before });
    expect(changed.status).toBe(200);
    const { etag } = changed.json<Tagged>();
    expect(etag).not.toBe(before);
    expect(changed.headers.get('etag')).toBe(etag);
    expect(await readEtag(resource)).toBe(etag);
    if (resource.list === undefined)
      expect((await ada.call('GET', resource.path())).headers.get('etag')).toBe(etag);
  });

  test('with an earlier ETag is refused, and the error says who made the other change', async () => {
    const ifMatch = await readEtag(resource);
    const other = await change(resource, 2, { by: bob });
    expect(other.status).toBe(200);
    const { etag } = other.json<Tagged>();
    const refused = await change(resource, 3, { ifMatch });
    expect(refused.status).toBe(409);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'conflict',
        message: expect.stringContaining('was changed by operator:bob at 2'),
        details: { reason: 'changed', changedBy: 'operator:bob', changedAt: expect.any(String) },
      },
    });
    expect(await readEtag(resource)).toBe(etag);
    expect((await change(resource, 3, { ifMatch: `"other", ${etag}` })).status).toBe(200);
  });

  test('with any existing version or without If-Match does not depend on other changes', async () => {
    expect((await change(resource, 4, { ifMatch: '*' })).status).toBe(200);
    expect((await change(resource, 5)).status).toBe(200);
  });

  test('with a weak ETag is refused', async () => {
    const ifMatch = `W/${await readEtag(resource)}`;
    expect((await change(resource, 6, { ifMatch })).status).toBe(409);
  });

  test('succeeds once if many people change the same version at the same time', async () => {
    const ifMatch = await readEtag(resource);
    const numbers = Array.from({ length: 8 }, (_, index) => 12 + 2 * index);
    const replies = await Promise.all(
      numbers.map((number, index) => change(resource, number, { by: index % 2 === 0 ? ada : bob, ifMatch })),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(7).fill(409)]);
  });
});

/** Operations that change no object with a version: an operator's own password. */
const UNVERSIONED = ['PUT /operator/v1/session/password'];

test('each operation that changes an object is tested above', async () => {
  const operations = operationsOf((await ada.call('GET', '/openapi.json')).json<OpenApi>());
  const changing = operations.filter(({ method }) => method === 'PATCH' || method === 'PUT');
  const untested = changing.filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace('/operator/v1', '').replace(/\{\w+\}/g, '[^/]+')}$`);
    return !RESOURCES.some((resource) => resource.method === method && pattern.test(resource.path()));
  });
  expect(untested.map(({ method, path }) => `${method} ${path}`)).toEqual(UNVERSIONED);
});

const find = (title: string): Resource => {
  const found = RESOURCES.find((resource) => resource.title === title);
  if (found === undefined) throw new Error(`No resource has the title "${title}".`);
  return found;
};

test('a test of a connection and a sign-in of an operator are no changes of their settings', async () => {
  const connection = find('a connection');
  const operator = find('an operator');
  const before = await readEtag(connection);
  expect((await ada.call('POST', inside('/connections/calendar/check'))).status).toBe(200);
  expect(await readEtag(connection)).toBe(before);
  const { password } = await service.app.operators.create('carol', 'reader');
  const carol = { ...operator, path: () => '/operators/carol' };
  const invited = await readEtag(carol);
  await signInOperator({ url: service.url, name: 'carol', password });
  expect(await readEtag(carol)).toBe(invited);
});

test('a change with If-Match never creates an account', async () => {
  const missing = { method: 'PUT', path: () => inside('/connections/calendar/accounts/nobody') } as const;
  const refused = await change({ ...missing, title: '', body: () => ({}) }, 1, { ifMatch: '*' });
  expect(refused.status).toBe(404);
  expect((await ada.call('GET', missing.path())).status).toBe(404);
});

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { type Service, startService } from '../support/service/service.js';

interface Listed {
  readonly items: readonly { readonly id: string; readonly type: string; readonly data: object }[];
  readonly nextPageToken?: string;
}

interface Endpoint {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
}

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
  for (const connectionName of ['calls', 'other-calls'])
    await owner.call('POST', '/v1/connections', {
      body: { connectionName, connector: 'convintel', baseUrl: 'https://10.0.0.1' },
    });
});
afterAll(() => service.stop());

const ACCOUNTS = '/v1/connections/calls/accounts';
const connect = (identifier: string, by = owner) =>
  by.call('PUT', `${ACCOUNTS}/${identifier}`, { body: { bearerToken: 'sandbox-token', verify: false } });

const listed = async (query = '', by = owner): Promise<Listed> => {
  const reply = await by.call('GET', `/v1/events${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json<Listed>();
};

async function createEndpoint(types: readonly string[], settings: object = {}): Promise<Endpoint> {
  const body = { url: 'https://hooks.example.com/svc', types, enabled: false, ...settings };
  const reply = await owner.call('POST', '/v1/webhook-endpoints', { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json<Endpoint>();
}

const remove = ({ id }: Endpoint) => owner.call('DELETE', `/v1/webhook-endpoints/${id}`);

test('an application without an endpoint has no events', async () => {
  await connect('early');
  expect(await listed()).toEqual({ items: [] });
});

test('events are listed in their order, from the creation of an endpoint on', async () => {
  const endpoint = await createEndpoint(['account.authorized', 'account.deleted']);
  for (const identifier of ['ada', 'bob']) await connect(identifier);
  await owner.call('DELETE', `${ACCOUNTS}/ada`);
  await expect.poll(async () => (await listed()).items.length).toBe(3);
  const { items } = await listed();
  expect(items.map(({ type, data }) => ({ type, data }))).toEqual([
    {
      type: 'account.authorized',
      data: { accountId: expect.stringMatching(/^acct_/), connectionName: 'calls', identifier: 'ada' },
    },
    { type: 'account.authorized', data: expect.objectContaining({ identifier: 'bob' }) },
    {
      type: 'account.deleted',
      data: expect.objectContaining({ connectionName: 'calls', identifier: 'ada' }),
    },
  ]);
  const [first, second, third] = items;
  expect((await listed(`?after=${second?.id}`)).items).toEqual([third]);
  expect((await listed('?types=account.deleted')).items).toEqual([third]);
  expect((await listed('?connectionName=other')).items).toEqual([]);
  const page = await listed('?pageSize=1');
  expect(page.items).toEqual([first]);
  expect((await listed(`?pageSize=2&pageToken=${page.nextPageToken}`)).items).toEqual([second, third]);
  expect((await owner.call('GET', `/v1/events/${first?.id}`)).json()).toEqual(first);
  await remove(endpoint);
});

test('an endpoint that is limited to a connection gets no events of other connections', async () => {
  const types = ['account.authorized', 'endpoint.disabled'];
  const limited = await createEndpoint(types, { enabled: true, connectionName: 'calls' });
  const other = await createEndpoint(types, { enabled: true, connectionName: 'other-calls' });
  const path = `/v1/webhook-endpoints/${other.id}`;
  const deliveriesTo = async ({ id }: Endpoint) => {
    const reply = await owner.call('GET', `/v1/deliveries?endpointId=${id}`);
    return reply.json<{ items: object[] }>().items;
  };
  expect((await owner.call('GET', path)).json()).toMatchObject({ connectionName: 'other-calls' });
  await connect('lena');
  await expect.poll(() => deliveriesTo(limited)).toHaveLength(1);
  expect(await deliveriesTo(other)).toEqual([]);

  const changed = await owner.call('PATCH', path, { body: { connectionName: null } });
  expect(changed.json()).not.toHaveProperty('connectionName');
  await connect('lars');
  await expect.poll(() => deliveriesTo(other)).toHaveLength(1);
  for (const reply of [
    await owner.call('PATCH', path, { body: { connectionName: 'missing' } }),
    await owner.call('POST', '/v1/webhook-endpoints', {
      body: { url: 'https://hooks.example.com/svc', types, connectionName: 'missing' },
    }),
  ])
    expect([reply.status, reply.json()]).toMatchObject([404, { error: { code: 'connection_not_found' } }]);
  for (const endpoint of [limited, other]) await remove(endpoint);
});

test('the revocation of an account is reported with its reason', async () => {
  const type = 'account.reauthorization_required';
  const endpoint = await createEndpoint([type]);
  await connect('rita');
  await owner.call('POST', `${ACCOUNTS}/rita/revoke`);
  await expect
    .poll(async () => (await listed(`?types=${type}`)).items)
    .toMatchObject([
      { type, data: { connectionName: 'calls', identifier: 'rita', reason: 'revoked_by_application' } },
    ]);
  await remove(endpoint);
});

test.each([
  { title: 'an unknown event', query: '?after=evt_unknown' },
  { title: 'an unknown type', query: '?types=account.authorized,unknown' },
])('the list of events refuses $title', async ({ query }) => {
  expect((await owner.call('GET', `/v1/events${query}`)).status).toBe(400);
});

test('A1: an application gets no events, endpoints and deliveries of another application', async () => {
  const endpoint = await createEndpoint(['account.authorized']);
  await connect('carla');
  await expect.poll(async () => (await listed()).items.length).toBeGreaterThan(0);
  const { items } = await listed();
  const other = await addApplication(service);
  expect(await listed('', other)).toEqual({ items: [] });
  for (const path of [`/events/${items[0]?.id}`, `/webhook-endpoints/${endpoint.id}`])
    expect((await other.call('GET', `/v1${path}`)).status).toBe(404);
  await remove(endpoint);
});

test('failed calls are events only while an enabled endpoint wants them', async () => {
  const endpoint = await createEndpoint(['execution.failed']);
  await connect('emil');
  const fail = async () => {
    expect((await owner.call('GET', '/v1/proxy/calls/emil/users')).status).toBe(502);
    // Listing executions first writes those that wait in memory.
    await owner.call('GET', '/v1/executions');
  };
  const failures = async () => (await listed('?types=execution.failed')).items;
  await fail();
  await owner.call('PATCH', `/v1/webhook-endpoints/${endpoint.id}`, { body: { enabled: true } });
  await fail();
  await expect.poll(async () => (await failures()).length).toBe(1);
  expect(await failures()).toMatchObject([
    {
      data: { identifier: 'emil', kind: 'proxy', method: 'GET', status: 502, errorCode: 'connection_failed' },
    },
  ]);
  await remove(endpoint);
});

test('a decision and an expiry without a decision are reported once', async () => {
  const endpoint = await createEndpoint(['approval.decided']);
  await connect('dora');
  const approve = { default: 'never', tools: { convintel_summary_get: 'always' } };
  await owner.call('PATCH', '/v1/connections/calls', { body: { approve } });
  const request = async (activity: number) => {
    const activityId = `00000000-0000-4000-8000-00000000000${activity}`;
    const body = { connectionName: 'calls', identifier: 'dora', toolInput: { activityId } };
    const reply = await owner.call('POST', '/v1/tools/convintel_summary_get/execute', { body });
    return `/v1/approvals/${reply.json<{ error: { details: { id: string } } }>().error.details.id}`;
  };
  const [decided, undecided] = [await request(1), await request(2)];
  await owner.call('POST', decided, { body: { decision: 'approve' } });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 60_000 });
  owner = await signIn(service);
  for (const path of [decided, undecided])
    expect((await owner.call('GET', path)).json()).toMatchObject({ status: 'expired' });
  await expect.poll(async () => (await listed('?types=approval.decided')).items.length).toBe(2);
  const { items } = await listed('?types=approval.decided');
  expect(items.map(({ data }) => data)).toMatchObject([
    { decision: 'approved', decidedBy: service.clientId },
    { decision: 'expired', toolName: 'convintel_summary_get' },
  ]);
  vi.useRealTimers();
  owner = await signIn(service);
  await remove(endpoint);
});

test.each([
  { title: 'http', url: 'http://hooks.example.com/' },
  { title: 'another port', url: 'https://hooks.example.com:8443/' },
  { title: 'a private address', url: 'https://192.168.0.1/hook' },
  { title: 'a loopback address', url: 'https://[::1]/hook' },
  { title: 'the name of this machine', url: 'https://localhost/hook' },
  { title: 'a password', url: 'https://user:pass@hooks.example.com/' },
  { title: 'a fragment', url: 'https://hooks.example.com/#a' },
])('N3, N4: an endpoint with $title is refused', async ({ url }) => {
  const body = { url, types: ['account.deleted'] };
  const reply = await owner.call('POST', '/v1/webhook-endpoints', { body });
  expect([reply.status, reply.json()]).toEqual([
    400,
    {
      error: expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/^"url" /) }),
    },
  ]);
});

test('the secret of an endpoint is shown only when it is created or rotated', async () => {
  const created = await createEndpoint(['account.deleted'], { description: 'Production' });
  const path = `/v1/webhook-endpoints/${created.id}`;
  expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret: _, ...shown } = created;
  expect((await owner.call('GET', path)).json()).toEqual(shown);
  expect((await owner.call('GET', '/v1/webhook-endpoints')).json()).toEqual({ items: [shown] });
  const rotated = (await owner.call('POST', `${path}/rotate-secret`)).json<Endpoint>();
  expect(rotated).toMatchObject({ previousSecretExpiresAt: expect.any(String) });
  expect(rotated.secret).not.toBe(created.secret);
  const body = { oldSecretExpiresIn: 0 };
  const last = (await owner.call('POST', `${path}/rotate-secret`, { body })).json<object>();
  expect(last).not.toHaveProperty('previousSecretExpiresAt');
  const changed = await owner.call('PATCH', path, { body: { enabled: true, types: ['account.authorized'] } });
  expect(changed.json()).toMatchObject({ enabled: true, types: ['account.authorized'] });
  expect((await remove(created)).status).toBe(204);
  expect((await owner.call('GET', path)).status).toBe(404);
});

test('an idempotency key creates only one endpoint', async () => {
  const body = { url: 'https://hooks.example.com/', types: ['account.deleted'], enabled: false };
  const headers = { 'idempotency-key': 'endpoint-1' };
  const create = () => owner.call('POST', '/v1/webhook-endpoints', { body, headers });
  const [first, second] = [await create(), await create()];
  expect(second.text).toBe(first.text);
  await remove(first.json<Endpoint>());
});

test('an application has at most 100 endpoints', async () => {
  const endpoints: Endpoint[] = [];
  for (let count = 0; count < 100; count += 1) endpoints.push(await createEndpoint(['account.deleted']));
  const body = { url: 'https://hooks.example.com/', types: ['account.deleted'] };
  expect((await owner.call('POST', '/v1/webhook-endpoints', { body })).status).toBe(409);
  for (const endpoint of endpoints) await remove(endpoint);
});

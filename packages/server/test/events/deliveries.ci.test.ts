import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Receiver, startReceiver, status } from '../support/events/start-receiver.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly attemptCount: number;
  readonly nextAttemptAt?: string;
  readonly attempts: readonly {
    readonly status?: number;
    readonly failure?: string;
    readonly response?: string;
  }[];
}

const DAY_MS = 24 * 3_600_000;

let service: Service;
let receiver: Receiver;
let owner: Application;
let made = 0;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    connectors: [],
    env: { SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}` },
  });
  owner = await signIn(service);
  await call('POST', '/connections', {
    connectionName: 'calls',
    connector: 'convintel',
    baseUrl: 'https://10.0.0.1',
  });
});
afterEach(async () => {
  vi.useRealTimers();
  const { items } = await call<{ items: Endpoint[] }>('GET', '/webhook-endpoints');
  for (const { id } of items) await owner.call('DELETE', `/v1/webhook-endpoints/${id}`);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await owner.call(method, `/v1${path}`, { body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.text === '' ? (undefined as Body) : reply.json<Body>();
}

/** Moves the clock of the service forward. Its timers go on as before. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

/** Creates an endpoint at a path of its own. */
async function createEndpoint(settings: object = {}) {
  made += 1;
  const path = `/hook-${made}`;
  const body = { url: receiver.origin + path, types: ['account.authorized', 'account.deleted'], ...settings };
  const endpoint = await call<Endpoint>('POST', '/webhook-endpoints', body);
  return { ...endpoint, path, of: `/webhook-endpoints/${endpoint.id}` };
}

const account = (identifier: string) => `/connections/calls/accounts/${identifier}`;
const connect = (identifier: string) =>
  call('PUT', account(identifier), { bearerToken: 'sandbox-token', verify: false });

const got = (path: string, count: number) =>
  vi.waitFor(() => {
    expect(receiver.received(path).length).toBeGreaterThanOrEqual(count);
    return receiver.received(path);
  }, 5000);

async function deliveryOf({ id }: Endpoint): Promise<Delivery> {
  const { items } = await call<{ items: Delivery[] }>('GET', `/deliveries?endpointId=${id}`);
  return call('GET', `/deliveries/${items[0]?.id}`);
}

const deliveryWith = (endpoint: Endpoint, expected: object) =>
  vi.waitFor(async () => {
    const delivery = await deliveryOf(endpoint);
    expect(delivery).toMatchObject(expected);
    return delivery;
  }, 5000);

test('an endpoint gets an event with a signature of Standard Webhooks', async () => {
  const endpoint = await createEndpoint();
  await connect('signed');
  const [request] = await got(endpoint.path, 1);
  const headers = request?.headers as Record<string, string>;
  expect(headers['content-type']).toBe('application/json');
  expect(new Webhook(endpoint.secret).verify(request?.body ?? '', headers)).toMatchObject({
    type: 'account.authorized',
    data: { identifier: 'signed', connectionName: 'calls' },
  });
  expect(request?.id).toMatch(/^evt_/);
  const delivery = await deliveryWith(endpoint, { state: 'succeeded', attemptCount: 1 });
  expect(delivery).toMatchObject({ eventId: request?.id, attempts: [{ status: 204 }] });
  expect(await call('GET', `/events/${request?.id}`)).toMatchObject(JSON.parse(request?.body ?? ''));
});

test('after a rotation, both secrets sign until the old one expires', async () => {
  const endpoint = await createEndpoint();
  const rotated = await call<Endpoint>('POST', `${endpoint.of}/rotate-secret`, { oldSecretExpiresIn: 300 });
  const verify = (secret: string, index: number) => {
    const { body = '', headers } = receiver.received(endpoint.path)[index] ?? {};
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  };
  await connect('rotated-1');
  await got(endpoint.path, 1);
  for (const { secret } of [endpoint, rotated]) expect(verify(secret, 0)).toBeDefined();
  later(301_000);
  await connect('rotated-2');
  await got(endpoint.path, 2);
  expect(verify(rotated.secret, 1)).toBeDefined();
  expect(() => verify(endpoint.secret, 1)).toThrow();
});

test('a failed attempt is repeated after 5 seconds with the same id, and its response is in the log', async () => {
  const endpoint = await createEndpoint();
  receiver.answer(endpoint.path, status(500, {}, `<p>${'x'.repeat(5000)}`));
  await connect('repeated');
  const failed = await deliveryWith(endpoint, { state: 'pending', attemptCount: 1 });
  expect(failed.attempts).toEqual([
    {
      at: expect.any(String),
      durationMs: expect.any(Number),
      status: 500,
      response: `<p>${'x'.repeat(1021)}`,
    },
  ]);
  expect(await call('GET', endpoint.of)).toMatchObject({ failingSince: expect.any(String) });
  receiver.answer(endpoint.path, status(200));
  later(6100);
  const [first, second] = await got(endpoint.path, 2);
  expect(second?.id).toBe(first?.id);
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  await deliveryWith(endpoint, { state: 'succeeded', attemptCount: 2 });
  expect(await call('GET', endpoint.of)).not.toHaveProperty('failingSince');
});

test('a test event reaches only the tested endpoint, and its delivery is in the log', async () => {
  const tested = await createEndpoint();
  const other = await createEndpoint({ types: ['endpoint.tested'] });
  const sent = await call<Delivery>('POST', `${tested.of}/test`);
  expect(sent).toMatchObject({
    endpointId: tested.id,
    type: 'endpoint.tested',
    state: 'pending',
    attempts: [],
  });
  const [request] = await got(tested.path, 1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'endpoint.tested',
    data: { endpointId: tested.id },
  });
  await vi.waitFor(async () => {
    const delivery = await call<Delivery>('GET', `/deliveries/${sent.id}`);
    expect(delivery).toMatchObject({ state: 'succeeded', attempts: [{ status: 204 }] });
  }, 10_000);
  expect(receiver.received(other.path)).toEqual([]);
});

test('A13: a repeated test or resend with the same idempotency key sends nothing', async () => {
  const endpoint = await createEndpoint();
  const post = async (to: string) => {
    const reply = await owner.call('POST', `/v1${to}`, { headers: { 'idempotency-key': `once${to}` } });
    return { replayed: reply.headers.get('idempotent-replayed'), text: reply.text };
  };
  const test = `${endpoint.of}/test`;
  const tested = await post(test);
  expect(await post(test)).toEqual({ replayed: 'true', text: tested.text });
  const { id } = await deliveryWith(endpoint, { state: 'succeeded' });
  const resend = `/deliveries/${id}/resend`;
  const resent = await post(resend);
  await got(endpoint.path, 2);
  await deliveryWith(endpoint, { state: 'succeeded' });
  expect(await post(resend)).toEqual({ replayed: 'true', text: resent.text });
  const { items } = await call<{ items: Delivery[] }>('GET', `/deliveries?endpointId=${endpoint.id}`);
  expect([items, receiver.received(endpoint.path)]).toMatchObject([[{ id, attemptCount: 1 }], [{}, {}]]);
});

test('a disabled or unknown endpoint cannot be tested', async () => {
  const { of } = await createEndpoint({ enabled: false });
  for (const [path, status] of [
    [of, 409],
    ['/webhook-endpoints/ep_none', 404],
  ] as const)
    expect((await owner.call('POST', `/v1${path}/test`)).status).toBe(status);
  expect(await call('GET', '/deliveries?type=endpoint.tested')).toMatchObject({ items: [] });
});

test('a redirect is a failure, and nobody follows it', async () => {
  const endpoint = await createEndpoint();
  receiver.answer(endpoint.path, status(302, { location: `${receiver.origin}/other` }));
  await connect('redirected');
  expect(await deliveryWith(endpoint, { attemptCount: 1 })).toMatchObject({
    state: 'pending',
    attempts: [{ status: 302 }],
  });
  expect(receiver.received('/other')).toEqual([]);
});

test('Retry-After delays the next attempt', async () => {
  const endpoint = await createEndpoint();
  receiver.answer(endpoint.path, status(429, { 'retry-after': '3600' }));
  const before = Date.now();
  await connect('throttled');
  const { nextAttemptAt = '' } = await deliveryWith(endpoint, { attemptCount: 1 });
  expect(Date.parse(nextAttemptAt) - before).toBeGreaterThanOrEqual(3_600_000);
  expect(Date.parse(nextAttemptAt) - before).toBeLessThan(3_620_000);
});

test('410 disables the endpoint at once, and other endpoints get an event', async () => {
  const watching = await createEndpoint({ types: ['endpoint.disabled'] });
  const endpoint = await createEndpoint();
  receiver.answer(endpoint.path, status(410));
  await connect('gone');
  const [request] = await got(watching.path, 1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'endpoint.disabled',
    data: { endpointId: endpoint.id, reason: 'gone' },
  });
  expect(await call('GET', endpoint.of)).toMatchObject({ enabled: false, disabledReason: 'gone' });
  const delivery = await deliveryWith(endpoint, { state: 'failed' });
  expect((await owner.call('POST', `/v1/deliveries/${delivery.id}/resend`)).status).toBe(409);
  await connect('after-gone');
  receiver.answer(endpoint.path, status(204));
  expect(await call('PATCH', endpoint.of, { enabled: true })).toMatchObject({ enabled: true });
  await call('POST', `/deliveries/${delivery.id}/resend`);
  await deliveryWith(endpoint, { state: 'succeeded', attemptCount: 1 });
  expect(receiver.received(endpoint.path)).toHaveLength(2);
});

test('an endpoint is disabled when all attempts failed for five days', async () => {
  const endpoint = await createEndpoint();
  receiver.answer(endpoint.path, status(503));
  await connect('failing');
  await deliveryWith(endpoint, { attemptCount: 1 });
  later(5 * DAY_MS + 60_000);
  owner = await signIn(service);
  await vi.waitFor(
    async () =>
      expect(await call('GET', endpoint.of)).toMatchObject({ enabled: false, disabledReason: 'failing' }),
    5000,
  );
  await deliveryWith(endpoint, { state: 'pending', attemptCount: 2 });
});

test('a slow and a failing endpoint do not delay another one', async () => {
  const [slow, failing, fast] = [await createEndpoint(), await createEndpoint(), await createEndpoint()];
  receiver.answer(slow.path, () => undefined);
  receiver.answer(failing.path, status(500));
  const count = 12;
  for (let at = 0; at < count; at += 1) await connect(`many-${at}`);
  const ids = (await got(fast.path, count)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(count);
  await got(failing.path, count);
  // A new endpoint gets two requests at once, and one that does not respond gets at most four.
  expect((await got(slow.path, 2)).length).toBeLessThanOrEqual(4);
});

test('an ordered endpoint gets the events of one account in their order', async () => {
  const endpoint = await createEndpoint({ ordered: true });
  receiver.answer(endpoint.path, (response, { body }) =>
    status(JSON.parse(body).data.identifier === 'first' ? 500 : 204)(response, { body } as never),
  );
  await connect('first');
  await deliveryWith(endpoint, { attemptCount: 1 });
  await call('DELETE', account('first'));
  await connect('second');
  await got(endpoint.path, 2);
  const seen = () =>
    receiver.received(endpoint.path).map(({ type, body }) => `${JSON.parse(body).data.identifier} ${type}`);
  expect(seen()).toEqual(['first account.authorized', 'second account.authorized']);
  receiver.answer(endpoint.path, status(204));
  later(6100);
  await got(endpoint.path, 4);
  expect(seen().slice(2)).toEqual(['first account.authorized', 'first account.deleted']);
});

test('deliveries that wait for an earlier one are sent when the endpoint is no longer ordered', async () => {
  const endpoint = await createEndpoint({ ordered: true });
  receiver.answer(endpoint.path, (response, { type }) =>
    status(type === 'account.authorized' ? 500 : 204)(response, {} as never),
  );
  await connect('unordered');
  await deliveryWith(endpoint, { attemptCount: 1 });
  await call('DELETE', account('unordered'));
  await call('PATCH', endpoint.of, { ordered: false });
  await got(endpoint.path, 2);
  expect(receiver.received(endpoint.path).map(({ type }) => type)).toEqual([
    'account.authorized',
    'account.deleted',
  ]);
});

test('deliveries are listed by endpoint, event, type, state and account', async () => {
  const endpoint = await createEndpoint();
  const { id: accountId } = await call<{ id: string }>('PUT', account('listed'), {
    bearerToken: 'sandbox-token',
    verify: false,
  });
  const { id, eventId } = await deliveryWith(endpoint, { state: 'succeeded' });
  const queries = [
    `endpointId=${endpoint.id}`,
    `eventId=${eventId}`,
    `type=account.authorized&accountId=${accountId}`,
    `state=succeeded&accountId=${accountId}`,
  ];
  for (const query of queries) {
    const { items } = await call<{ items: Delivery[] }>('GET', `/deliveries?${query}`);
    expect({ query, ids: items.map((item) => item.id) }).toEqual({ query, ids: [id] });
  }
  expect(await call('GET', `/deliveries?state=failed&eventId=${eventId}`)).toEqual({ items: [] });
});

test('a narrowed token cannot use events, endpoints and deliveries', async () => {
  const { token } = await call<{ token: string }>('POST', '/agent-tokens', {
    identifier: 'ada',
    expiresIn: 60,
  });
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/events', '/webhook-endpoints', '/deliveries', '/events/evt_1', '/deliveries/dlv_1'])
    expect((await owner.call('GET', `/v1${path}`, { headers })).status).toBe(403);
  const body = { url: receiver.origin, types: ['account.deleted'] };
  expect((await owner.call('POST', '/v1/webhook-endpoints', { headers, body })).status).toBe(403);
});

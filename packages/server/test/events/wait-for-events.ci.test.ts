import { createClient, manage } from '@svc/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MAX_WAITING } from '../../src/events/wait-for-events.js';
import { type Application, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { type Service, startService } from '../support/service/service.js';

interface Listed {
  readonly items: readonly { readonly id: string; readonly type: string; readonly data: object }[];
  readonly nextPageToken: string;
}

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
  for (const name of ['calls', 'others']) await createConnection(owner, name);
});
afterAll(() => service.stop());

async function createConnection({ call }: Application, connectionName: string): Promise<void> {
  const body = { connectionName, connector: 'convintel', baseUrl: 'https://10.0.0.1' };
  const reply = await call('POST', '/v1/connections', { body });
  expect(reply.status, reply.text).toBe(201);
}

async function connect(identifier: string, { connection = 'calls', by = owner } = {}): Promise<void> {
  const body = { bearerToken: 'sandbox-token', verify: false };
  const reply = await by.call('PUT', `/v1/connections/${connection}/accounts/${identifier}`, { body });
  expect(reply.status, reply.text).toBe(201);
}

async function read(query: string, by = owner): Promise<Listed> {
  const reply = await by.call('GET', `/v1/events?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json<Listed>();
}

const namesOf = ({ items }: Listed) => items.map(({ data }) => data);

/** Sends one more waiting request than is allowed. Returns when one was refused, so that all others wait. */
async function fillWaiting<Response extends { readonly status: number }>(send: () => Promise<Response>) {
  const requests = Array.from({ length: MAX_WAITING + 1 }, send);
  const refused = await Promise.race(requests);
  expect(refused.status).toBe(429);
  return { requests, refused };
}

test('a waiting reader gets an event that no endpoint wants, in less than half of its wait', async () => {
  await connect('early');
  const { items, nextPageToken } = await read('after=latest&wait=0');
  expect(items).toEqual([]);
  const startedAt = performance.now();
  const waiting = read(`wait=30&pageToken=${nextPageToken}`);
  await connect('ada');
  const page = await waiting;
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(namesOf(page)).toMatchObject([{ identifier: 'ada' }]);
  // The lease outlives the response, so that no event is lost between two requests.
  await connect('bob');
  expect(namesOf(await read(`wait=20&pageToken=${page.nextPageToken}`))).toMatchObject([
    { identifier: 'bob' },
  ]);
});

test('a reader that waits for some types or a connection gets no other events', async () => {
  const { nextPageToken } = await read('after=latest&wait=0');
  const ofType = read(`wait=20&types=account.deleted&pageToken=${nextPageToken}`);
  const ofConnection = read(`wait=20&connectionName=others&pageToken=${nextPageToken}`);
  await connect('carla');
  await owner.call('DELETE', '/v1/connections/calls/accounts/carla');
  const deleted = { type: 'account.deleted', data: { identifier: 'carla' } };
  expect((await ofType).items).toMatchObject([deleted]);
  await connect('carla', { connection: 'others' });
  expect(namesOf(await ofConnection)).toMatchObject([{ connectionName: 'others', identifier: 'carla' }]);
});

test('the service writes no events for a reader that has not returned for two minutes', async () => {
  const { nextPageToken } = await read('after=latest&wait=0');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  await connect('late');
  vi.useRealTimers();
  // The reader returns, and gets only the next event.
  await read(`wait=0&pageToken=${nextPageToken}`);
  await connect('later');
  expect(namesOf(await read(`wait=20&pageToken=${nextPageToken}`))).toMatchObject([{ identifier: 'later' }]);
});

test('A1: a waiting reader gets no event of another application', async () => {
  const other = await addApplication(service);
  await createConnection(other, 'calls');
  const { nextPageToken } = await read('after=latest&wait=0', other);
  const own = await read('after=latest&wait=0');
  const waiting = read(`wait=20&pageToken=${nextPageToken}`, other);
  await connect('dora');
  expect(namesOf(await read(`wait=20&pageToken=${own.nextPageToken}`))).toMatchObject([
    { identifier: 'dora' },
  ]);
  await connect('elsa', { by: other });
  expect(namesOf(await waiting)).toMatchObject([{ identifier: 'elsa' }]);
});

test(`F5: an application has at most ${MAX_WAITING} waiting requests, and another one can still wait`, async () => {
  const other = await addApplication(service);
  const { nextPageToken } = await read('after=latest&wait=0');
  const path = `/v1/events?wait=30&pageToken=${nextPageToken}`;
  const { requests, refused } = await fillWaiting(() => owner.call('GET', path));
  expect(refused.json()).toMatchObject({ error: { code: 'rate_limited', details: { limit: 'waiting' } } });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await read('wait=0&after=latest', other)).items).toEqual([]);
  await connect('gina');
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_WAITING);
  expect((await read('wait=0&after=latest')).items).toEqual([]);
});

test('F5: a caller that disconnects makes room for another waiting request', async () => {
  const { nextPageToken } = await read('after=latest&wait=0');
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${owner.accessToken}` };
  const url = `${service.url}/v1/events?wait=30&pageToken=${nextPageToken}`;
  const { requests } = await fillWaiting(() => fetch(url, { headers, signal: leaving.signal }));
  leaving.abort();
  await Promise.allSettled(requests);
  await expect.poll(async () => (await owner.call('GET', '/v1/events?wait=0')).status).toBe(200);
});

test.each(['31', '-1', '1.5', 'soon'])('a wait of %s seconds is refused', async (wait) => {
  expect((await owner.call('GET', `/v1/events?wait=${wait}`)).status).toBe(400);
});

test('the client reads new events in an endless loop', async () => {
  let requests = 0;
  const client = createClient({
    environmentUrl: service.url,
    clientId: service.clientId,
    clientSecret: service.clientSecret,
    fetch: (input, init) => {
      if (String(input).includes('/v1/events')) requests += 1;
      return fetch(input, init);
    },
  });
  const identifiers: unknown[] = [];
  const reading = (async () => {
    for await (const { data } of manage(client).events.list.each({ after: 'latest', wait: 1 })) {
      identifiers.push('identifier' in data ? data.identifier : undefined);
      if (identifiers.length === 2) return;
    }
  })();
  // The first request gets no event, so the client sends another one with the token of the response.
  await expect.poll(() => requests).toBeGreaterThan(1);
  for (const identifier of ['emil', 'fred']) await connect(identifier);
  await reading;
  expect(identifiers).toEqual(['emil', 'fred']);
});

test('F2: a stopping service ends waiting requests at once', async () => {
  const own = await startService({ connectors: [] });
  const application = await signIn(own);
  const { requests, refused } = await fillWaiting(() =>
    application.call('GET', '/v1/events?wait=30&after=latest'),
  );
  const startedAt = performance.now();
  await own.stop();
  const waiting = (await Promise.all(requests)).filter((reply) => reply !== refused);
  expect(waiting.map((reply) => reply.json<Listed>().items)).toEqual(Array(MAX_WAITING).fill([]));
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});

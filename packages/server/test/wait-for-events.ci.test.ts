import { setTimeout as sleep } from 'node:timers/promises';
import { manage } from '@svc/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MOST_WAITING } from '../src/events/wait-for-events.js';
import { type Application, signIn } from './application.js';
import { addApplication } from './second-application.js';
import { type Service, startService } from './service.js';

interface Listed {
  readonly items: readonly { readonly id: string; readonly type: string; readonly data: object }[];
  readonly nextPageToken: string;
}

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
  await owner.call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
  });
});
afterAll(() => service.stop());

const ACCOUNTS = '/v1/connections/calls/accounts';
const connect = (identifier: string) =>
  owner.call('PUT', `${ACCOUNTS}/${identifier}`, { body: { bearerToken: 'sandbox-token', verify: false } });

async function read(query: string, by = owner): Promise<Listed> {
  const reply = await by.call('GET', `/v1/events?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json<Listed>();
}

const namesOf = ({ items }: Listed) => items.map(({ data }) => data);

test('a waiting reader gets an event that no endpoint wants, within two seconds', async () => {
  await connect('early');
  const { items, nextPageToken } = await read('after=latest&wait=0');
  expect(items).toEqual([]);
  const startedAt = performance.now();
  const waiting = read(`wait=20&pageToken=${nextPageToken}`);
  await connect('ada');
  const page = await waiting;
  expect(performance.now() - startedAt).toBeLessThan(4000);
  expect(namesOf(page)).toMatchObject([{ identifier: 'ada' }]);
  // The lease outlives the response, so that no event is lost between two requests.
  await connect('bob');
  expect(namesOf(await read(`wait=20&pageToken=${page.nextPageToken}`))).toMatchObject([
    { identifier: 'bob' },
  ]);
});

test('a reader that waits for some types or a connection gets no other events', async () => {
  const { nextPageToken } = await read('after=latest&wait=0&types=account.deleted');
  await connect('carla');
  const missed = await read(`wait=1&types=account.deleted&connectionName=calls&pageToken=${nextPageToken}`);
  expect(missed.items).toEqual([]);
  const waiting = read(`wait=20&types=account.deleted&pageToken=${missed.nextPageToken}`);
  await owner.call('DELETE', `${ACCOUNTS}/carla`);
  expect(namesOf(await waiting)).toMatchObject([{ identifier: 'carla' }]);
});

test('the service writes no events for a reader that has not returned for two minutes', async () => {
  const { nextPageToken } = await read('after=latest&wait=0');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
  await connect('late');
  vi.useRealTimers();
  expect((await read(`pageToken=${nextPageToken}`)).items).toEqual([]);
});

test('A1: a waiting reader gets no event of another application', async () => {
  const other = await addApplication(service);
  const waiting = read('after=latest&wait=2', other);
  await read('after=latest&wait=0');
  await connect('dora');
  expect((await waiting).items).toEqual([]);
});

test(`F5: an application has at most ${MOST_WAITING} waiting requests, and another one can still wait`, async () => {
  const other = await addApplication(service);
  const { nextPageToken } = await read('after=latest&wait=0');
  const path = `/v1/events?wait=2&pageToken=${nextPageToken}`;
  const replies = await Promise.all(Array.from({ length: MOST_WAITING + 2 }, () => owner.call('GET', path)));
  expect(replies.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: MOST_WAITING }, () => 200),
    ...[429, 429],
  ]);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.json()).toMatchObject({ error: { code: 'rate_limited', details: { limit: 'waiting' } } });
  expect(refused?.headers.get('retry-after')).toBe('5');
  expect((await read('wait=0&after=latest', other)).items).toEqual([]);
  expect((await read('wait=0&after=latest')).items).toEqual([]);
});

test('F5: a caller that disconnects makes room for another waiting request', async () => {
  const { nextPageToken } = await read('after=latest&wait=0');
  const path = `/v1/events?wait=30&pageToken=${nextPageToken}`;
  const leaving = new AbortController();
  const left = Array.from({ length: MOST_WAITING }, () =>
    fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${owner.accessToken}` },
      signal: leaving.signal,
    }),
  );
  const isFull = async () => (await owner.call('GET', '/v1/events?wait=0')).status === 429;
  await expect.poll(isFull).toBe(true);
  leaving.abort();
  await Promise.allSettled(left);
  await expect.poll(isFull).toBe(false);
});

test.each(['31', '-1', '1.5', 'soon'])('a wait of %s seconds is refused', async (wait) => {
  expect((await owner.call('GET', `/v1/events?wait=${wait}`)).status).toBe(400);
});

test('the client reads new events in an endless loop', async () => {
  const { events } = manage(service.svc);
  const identifiers: unknown[] = [];
  const reading = (async () => {
    for await (const { data } of events.list.each({ after: 'latest', wait: 1 })) {
      identifiers.push('identifier' in data ? data.identifier : undefined);
      if (identifiers.length === 2) return;
    }
  })();
  // The first request has no event, so the client repeats it with another token.
  await sleep(1500);
  for (const identifier of ['emil', 'fred']) await connect(identifier);
  await reading;
  expect(identifiers).toEqual(['emil', 'fred']);
});

test('F2: a stopping service ends waiting requests at once', async () => {
  const own = await startService({ connectors: [] });
  const application = await signIn(own);
  const waiting = application.call('GET', '/v1/events?wait=30&after=latest');
  await sleep(200);
  const startedAt = performance.now();
  await own.stop();
  expect((await waiting).json<Listed>().items).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

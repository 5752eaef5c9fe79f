import { type Calendar, calendar } from '@svc/calendar';
import { type ConnectedAccount, createClient, isServiceError } from '@svc/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { rejection } from '../support/rejection.js';
import { type Application, type Reply, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let account: ConnectedAccount;
let tools: Calendar;

beforeAll(async () => {
  // The client waits for a random time before each retry. A random number of 0 removes the wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  service = await startService({ connectors: ['calendar'] });
  account = await connectAccount(service, 'calendar');
  tools = calendar(service.svc, account);
});

afterAll(() => service.stop());

beforeEach(() => service.sandbox.clearRequests());

afterEach(() => service.sandbox.dials('calendar', { failNext: null, latencyMs: 0 }));

const eventOf = (summary: string) => ({ summary, start_datetime: '2026-12-01T09:00:00Z' });

const countOf = async (summary: string) => (await tools.listEvents({ query: summary })).data.items?.length;

const posts = async () => (await service.sandbox.requests()).filter(({ method }) => method === 'POST').length;

test('two calls with one idempotency key create one event, by client method and by tool name', async () => {
  const options = { idempotencyKey: 'one-event' };
  const toolInput = eventOf('Once');
  const call = { toolName: 'calendar_create_event', connectedAccountId: account.id, toolInput } as const;
  const versions = { schemaVersion: '1.0.0', toolVersion: '1.0.0' };

  const first = await tools.createEvent(toolInput, options);
  const second = await service.svc.executeTool({ ...call, ...versions }, options);

  expect(second).toEqual({ ...first, requestId: second.requestId });
  expect(second.requestId).not.toBe(first.requestId);
  expect(await posts()).toBe(1);
  expect(await countOf('Once')).toBe(1);
});

test('two calls with two idempotency keys, or none, create two events', async () => {
  await tools.createEvent(eventOf('Twice'), { idempotencyKey: 'first' });
  await tools.createEvent(eventOf('Twice'), { idempotencyKey: 'second' });
  await tools.createEvent(eventOf('Twice'));

  expect(await countOf('Twice')).toBe(3);
});

test('a retry after a lost response creates no second event', async () => {
  let isLost = false;
  const { url, clientId, clientSecret } = service;
  const svc = createClient({
    environmentUrl: url,
    clientId,
    clientSecret,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (isLost || !response.url.includes('/execute')) return response;
      isLost = true;
      throw new TypeError('The connection was reset.');
    },
  });

  const { data } = await calendar(svc, account).createEvent(eventOf('Lost'), { idempotencyKey: 'lost' });

  expect(isLost).toBe(true);
  expect((await tools.getEventById({ event_id: data.id })).data.summary).toBe('Lost');
  expect(await posts()).toBe(1);
});

test('the same call with its key returns the result of a call that timed out at the client', async () => {
  await service.sandbox.dials('calendar', { latencyMs: 1500 });
  const toolInput = eventOf('Given up');
  const error = await rejection(tools.createEvent(toolInput, { timeout: 300 }));
  if (!isServiceError(error, 'timeout')) throw error;
  const { data } = await tools.createEvent(toolInput, { idempotencyKey: error.idempotencyKey });
  expect(data.summary).toBe('Given up');
  await service.sandbox.dials('calendar', { latencyMs: 0 });
  expect(await countOf('Given up')).toBe(1);
});

test('a failure with unknown outcome is replayed and not retried', async () => {
  await service.sandbox.dials('calendar', { failNext: { count: 1, status: 500 } });
  const options = { idempotencyKey: 'failed' };

  const first = await rejection(tools.createEvent(eventOf('Failed'), options));
  const second = await rejection(tools.createEvent(eventOf('Failed'), options));

  expect(first).toMatchObject({ code: 'upstream_failed', status: 500 });
  expect(second).toEqual(first);
  expect(await posts()).toBe(1);
});

test('an idempotency key can be reused after a call that did nothing', async () => {
  const options = { idempotencyKey: 'corrected' };
  const toolName: string = 'calendar_create_event';
  const wrong = { toolName, connectedAccountId: account.id, toolInput: { summary: 'Wrong' } };

  const error = await rejection(service.svc.executeTool(wrong, options));
  await tools.createEvent(eventOf('Right'), options);

  expect(error).toMatchObject({ code: 'invalid_input', status: 400 });
  expect(await countOf('Right')).toBe(1);
});

test('an idempotency key of another call is refused and creates nothing', async () => {
  const options = { idempotencyKey: 'taken' };
  await tools.createEvent(eventOf('Taken'), options);

  const error = await rejection(tools.createEvent(eventOf('Other'), options));

  expect(error).toMatchObject({ code: 'idempotency_mismatch', status: 422 });
  expect(await countOf('Other')).toBe(0);
});

test('A13: a deleted account or connection invalidates its stored responses', async () => {
  const { call } = await signIn(service);
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });
  const isReplayed = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';
  const path = '/v1/connections/calendar/accounts/leaving';
  const { id: connectedAccountId } = await connectAccount(service, 'calendar', 'leaving');
  const body = { connectedAccountId, toolInput: {} };
  const calls = {
    get: () => call('PUT', path, { ...key('get'), body: {} }),
    link: () => call('POST', `${path}/authorization-link`, { ...key('link'), body: {} }),
    execute: () => call('POST', '/v1/tools/calendar_list_calendars/execute', { ...key('execute'), body }),
  };
  for (const make of Object.values(calls)) {
    expect([await make(), await make()].map(isReplayed)).toEqual([false, true]);
  }
  expect((await call('DELETE', path)).status).toBe(204);
  const after = { execute: await calls.execute(), get: await calls.get(), link: await calls.link() };
  expect(Object.values(after).map(isReplayed)).toEqual([false, false, false]);
  expect(after.execute.json()).toMatchObject({ error: { code: 'account_not_found' } });

  const own = { ...key('connection'), body: { connectionName: 'passing', connector: 'calendar' } };
  const create = () => call('POST', '/v1/connections', own);
  expect([await create(), await create()].map(isReplayed)).toEqual([false, true]);
  await call('DELETE', '/v1/connections/passing');
  const again = await create();
  expect([again.status, isReplayed(again)]).toEqual([201, false]);
});

const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true';

const USER = { identifier: 'ada', expiresIn: 60 };
const CLIENT = { name: 'Client', redirectUris: ['https://client.example/callback'] };
/** Requests that create objects of an application rather than of a connected account. */
const MADE = [
  { path: '/v1/account-tokens', body: USER, other: { ...USER, identifier: 'bob' } },
  { path: '/v1/agent-tokens', body: USER, other: { ...USER, identifier: 'bob' } },
  { path: '/v1/agent-clients', body: CLIENT, other: { ...CLIENT, name: 'Other' } },
];

describe.each(MADE)('A13: POST $path', ({ path, body, other }) => {
  const headers = { 'idempotency-key': `key of ${path}`.replaceAll(' ', '-') };
  const postAs =
    ({ call }: Application) =>
    (sent: object = body) =>
      call('POST', path, { headers, body: sent });
  const idsOf = async ({ call }: Application) =>
    (await call('GET', path)).json<{ items: { id: string }[] }>().items.map(({ id }) => id);

  test('creates one object per key, and replays the response until the object is deleted', async () => {
    const application = await addApplication(service);
    const post = postAs(application);
    const [first, second] = [await post(), await post()];
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([201, false, 201, true]);
    expect(second.text).toBe(first.text);
    const { id } = first.json<{ id: string }>();
    expect(await idsOf(application)).toEqual([id]);
    expect((await post(other)).status).toBe(422);
    expect((await application.call('DELETE', `${path}/${id}`)).status).toBe(204);
    const again = [await post(), await post()];
    expect(again.map(({ status }) => status)).toEqual([201, 201]);
    expect(again.map(replayed)).toEqual([false, true]);
    expect(again[0]?.json<{ id: string }>().id).not.toBe(id);
  });

  test('creates one object for simultaneous requests, also after the first one was deleted', async () => {
    const application = await addApplication(service);
    for (let round = 0; round < 2; round += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => postAs(application)()));
      const made = replies.filter(({ status }) => status === 201);
      const ids = new Set(made.map((reply) => reply.json<{ id: string }>().id));
      expect([ids.size, made.filter((reply) => !replayed(reply)).length]).toEqual([1, 1]);
      expect(replies.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
      for (const id of ids) expect((await application.call('DELETE', `${path}/${id}`)).status).toBe(204);
    }
  });

  test('separates the keys of applications', async () => {
    const replies = [];
    for (const application of [await addApplication(service), await addApplication(service)])
      replies.push(await postAs(application)());
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies.map(replayed)).toEqual([false, false]);
    expect(replies[0]?.json<{ id: string }>().id).not.toBe(replies[1]?.json<{ id: string }>().id);
  });
});

describe('A13: a stored response that contains a token', () => {
  const post = ({ call }: Application, body: object) =>
    call('POST', '/v1/agent-tokens', { headers: { 'idempotency-key': 'token' }, body });

  test('expires with the token', async () => {
    const application = await addApplication(service);
    const body = { identifier: 'ada', expiresIn: 1 };
    const first = await post(application, body);
    const { expiresAt } = first.json<{ expiresAt: string }>();
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 10));
    const second = await post(application, body);
    expect([first.status, second.status, replayed(second)]).toEqual([201, 201, false]);
  });

  test('is deleted with the client secret that requested it', async () => {
    const { applications } = service.app;
    const { id: clientId, clientSecret: first } = await applications.create('Two secrets');
    const { id, clientSecret: second } = await applications.addClientSecret(clientId);
    const body = { identifier: 'ada', expiresIn: 60 };
    const [one, other] = [
      await signIn({ url: service.url, clientId, clientSecret: first }),
      await signIn({ url: service.url, clientId, clientSecret: second }),
    ];
    const made = await post(other, body);
    const same = await post(one, body);
    expect([same.text, replayed(same)]).toEqual([made.text, true]);
    await applications.revokeClientSecret(clientId, id);
    const after = await post(one, body);
    expect([after.status, replayed(after)]).toEqual([201, false]);
  });
});

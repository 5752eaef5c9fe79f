import { verifyWebhook } from '@svc/core/events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { SERVICE_EVENT } from '../support/databases/sample-rows.js';
import { type Receiver, startReceiver } from '../support/events/start-receiver.js';
import { type Application, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

let database: Database;

vi.mock(import('../../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      return opened;
    },
  };
});

interface Listed {
  readonly items: readonly { readonly id: string; readonly data: { readonly identifier?: string } }[];
  readonly nextPageToken: string;
}

const WAIT = { timeout: 20_000, interval: 20 };

let service: Service;
let owner: Application;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    connectors: [],
    env: { SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}` },
  });
  owner = await signIn(service);
  await owner.call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const connect = (identifier: string) =>
  owner.call('PUT', `/v1/connections/calls/accounts/${identifier}`, {
    body: { bearerToken: 'sandbox-token', verify: false },
  });

async function read(query: string): Promise<Listed> {
  const reply = await owner.call('GET', `/v1/events?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json<Listed>();
}

interface Problems {
  readonly webhookEndpoints: readonly { readonly id: string; readonly pausedReason?: string }[];
}

const identifiersOf = ({ items }: Listed) => items.map(({ data }) => data.identifier);

async function createEndpoint(types: readonly string[]): Promise<string> {
  const body = { url: `${receiver.origin}/hook`, types };
  const reply = await owner.call('POST', '/v1/webhook-endpoints', { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json<{ id: string }>().id;
}

test('a reader gets the events after the restore of a backup, with a page token from before', async () => {
  await createEndpoint(['account.authorized']);
  await connect('ada');
  await expect.poll(async () => identifiersOf(await read(''))).toEqual(['ada']);
  const { nextPageToken } = await read('after=latest&wait=0');
  // The backup has no event, and the position of the last event is lower than at the time of the token.
  await database.deleteFrom('events').execute();
  await database.updateTable('settings').set({ value: '0' }).where('name', '=', 'event_position').execute();
  await connect('bob');
  const next = async () => identifiersOf(await read(`pageToken=${nextPageToken}`));
  await expect.poll(next).toEqual(['bob']);
});

test('a page token of a position that new events may get is refused', async () => {
  const pageToken = Buffer.from(JSON.stringify(['999999999999999', '1'])).toString('base64url');
  for (const query of ['', '&wait=0']) {
    const reply = await owner.call('GET', `/v1/events?pageToken=${pageToken}${query}`);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('to begin with the oldest event.');
  }
});

test('an event whose data key is lost is listed and delivered without its payload, and stops no other event', async () => {
  const type = 'convintel.conversation_processed' as const;
  const endpointId = await createEndpoint([type]);
  const { applicationId } = await database
    .selectFrom('webhookEndpoints')
    .select('applicationId')
    .where('id', '=', endpointId)
    .executeTakeFirstOrThrow();
  const body = JSON.stringify({ type, data: { identifier: 'ada', payload: null } });
  const { seq: _, ...event } = {
    ...SERVICE_EVENT,
    applicationId,
    type,
    at: Date.now(),
    position: null,
    body,
  };
  await database
    .insertInto('events')
    .values([
      { ...event, id: 'evt_lost', payload: `v1.key_lost.${'A'.repeat(80)}` },
      { ...event, id: 'evt_next', payload: null },
    ])
    .execute();
  const lost = { identifier: 'ada', payload: null, unreadable: true };
  const listed = async () => (await read(`types=${type}`)).items.map(({ id, data }) => ({ id, data }));
  await expect.poll(listed).toEqual([
    { id: 'evt_lost', data: lost },
    { id: 'evt_next', data: { identifier: 'ada', payload: null } },
  ]);
  expect((await owner.call('GET', '/v1/events/evt_lost')).json()).toMatchObject({ data: lost });
  const received = () => receiver.received('/hook').find(({ id }) => id === 'evt_lost');
  await vi.waitFor(() => expect(received()).toBeDefined(), WAIT);
  expect(JSON.parse(received()?.body ?? '')).toEqual({ type, data: lost });
});

test('an endpoint whose signing secret is lost is paused, and sends its deliveries after a rotation', async () => {
  const body = { url: `${receiver.origin}/lost`, types: ['account.deleted'] };
  const { id } = (await owner.call('POST', '/v1/webhook-endpoints', { body })).json<{ id: string }>();
  const lost = { secret: `v1.key_lost.${'A'.repeat(80)}` };
  await database.updateTable('webhookEndpoints').set(lost).where('id', '=', id).execute();
  const remove = async (identifier: string) => {
    await connect(identifier);
    await owner.call('DELETE', `/v1/connections/calls/accounts/${identifier}`);
  };
  await remove('cid');
  const shown = async () => (await owner.call('GET', `/v1/webhook-endpoints/${id}`)).json<object>();
  await expect.poll(shown, WAIT).toMatchObject({ enabled: true, pausedReason: 'secret_unreadable' });
  await remove('dan');
  const pending = async () => (await owner.call('GET', `/v1/deliveries?endpointId=${id}`)).json<object>();
  const waiting = { state: 'pending', attemptCount: 0 };
  await expect.poll(pending, WAIT).toMatchObject({ items: [waiting, waiting] });
  const credentials = await service.app.operators.create('ada', 'reader');
  const operator = await signInOperator({ url: service.url, ...credentials });
  const { webhookEndpoints } = (await operator.call('GET', '/problems')).json<Problems>();
  expect(webhookEndpoints).toMatchObject([{ id, pausedReason: 'secret_unreadable' }]);
  const rotated = await owner.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`);
  const { secret } = rotated.json<{ secret: string }>();
  await vi.waitFor(() => expect(receiver.received('/lost')).toHaveLength(2), WAIT);
  for (const request of receiver.received('/lost'))
    await expect(verifyWebhook(request.body, request.headers, secret)).resolves.toBeDefined();
  expect(await shown()).not.toHaveProperty('pausedReason');
  expect(await shown()).not.toHaveProperty('failingSince');
});

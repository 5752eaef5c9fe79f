import type { ConversationProcessedPayload } from '@svc/convintel';
import { type ManagingClient, manage } from '@svc/core';
import { verifyWebhook } from '@svc/core/events';
import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, expectTypeOf, test, vi } from 'vitest';
import { type Receiver, startReceiver } from '../support/events/start-receiver.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { type Service, startService } from '../support/service/service.js';

const CONNECTION = 'convintel';
const TRIGGER = 'conversation_processed';
const TYPE = 'convintel.conversation_processed';
const WAIT = { timeout: 20_000, interval: 20 };
const PAYLOAD = { trigger: TRIGGER, activity: { id: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' } };

let service: Service;
let receiver: Receiver;
let owner: Application;
let client: ManagingClient;
let secret: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const sandbox = await startSandbox({ connectors: [CONNECTION], rateLimits: false });
  const origins = `${listForSandbox(sandbox)},webhooks=${receiver.origin}`;
  service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins, SVC_RATE_ADDRESS: '10' } });
  owner = await signIn(service);
  client = manage(service.svc);
  ({ secret } = await client.webhookEndpoints.create({ url: `${receiver.origin}/all`, types: [TYPE] }));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const nameOf = (identifier: string) => ({ connectionName: CONNECTION, identifier });

/** Connects an account with an organization of its own in the sandbox. */
const connect = (identifier: string) =>
  client.getOrCreateConnectedAccount({ ...nameOf(identifier), bearerToken: `sandbox-${identifier}` });

/** Returns the addresses of all webhooks that the upstream was asked to create, oldest first. */
async function addresses(): Promise<readonly string[]> {
  const requests = await service.sandbox.requests(CONNECTION);
  return requests
    .filter(({ method, path }) => method === 'POST' && path === '/webhooks')
    .map(({ body }) => (body as { url: string }).url);
}

async function subscribe(identifier: string) {
  await connect(identifier);
  const subscription = await client.accounts.webhooks.create(nameOf(identifier), { trigger: TRIGGER });
  return { ...subscription, url: (await addresses()).at(-1) ?? '' };
}

const send = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetchReply(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Returns the data of all events of a user, oldest first. */
async function eventsOf(identifier: string) {
  const { items } = await client.events.list({ types: TYPE });
  const own = items.flatMap((event) => (event.type === TYPE ? [event.data] : []));
  return own.filter((data) => data.identifier === identifier);
}

const deletedUpstream = async (id: string | undefined) => {
  const requests = await service.sandbox.requests(CONNECTION);
  return requests.some(({ method, path }) => method === 'DELETE' && path === `/webhooks/${id}`);
};

test('a trigger at the upstream reaches the endpoint as a signed event with its payload', async () => {
  const subscription = await subscribe('ada');
  expect(subscription).toMatchObject({ trigger: TRIGGER, type: TYPE, state: 'active' });
  expect(await service.sandbox.sendWebhooks(CONNECTION, TRIGGER)).toBe(1);
  const received = await vi.waitFor(() => {
    const [first] = receiver.received('/all');
    if (first === undefined) throw new Error('No event arrived.');
    return first;
  }, WAIT);
  const event = await verifyWebhook(received.body, received.headers, secret);
  // The import of the connector's package narrows the payload by the type of the event.
  if (event.type !== TYPE) throw new Error(`The event has the type ${event.type}.`);
  expectTypeOf(event.data.payload).toEqualTypeOf<ConversationProcessedPayload | null>();
  expect(event.data.payload?.activity?.title).toBe('Engine demonstration');
  const data = {
    ...nameOf('ada'),
    accountId: subscription.accountId,
    subscriptionId: subscription.id,
    trigger: TRIGGER,
    payload: { trigger: TRIGGER, activity: { title: 'Engine demonstration' } },
  };
  expect(event).toMatchObject({ type: TYPE, data });
  expect(await client.events.get(received.id)).toMatchObject({ type: TYPE, data });
});

test('an upload causes an event when its analysis is finished', async () => {
  const { accountId } = await subscribe('uploads');
  const upload = await owner.call('POST', '/v1/tools/convintel_activity_upload/execute', {
    body: {
      connectedAccountId: accountId,
      toolInput: {
        hostUserEmail: 'ada@example.com',
        language: 'en_GB',
        title: 'Call with Ben',
        recordingUrl: 'https://files.example.com/ben.mp3',
      },
    },
  });
  expect(upload.status, upload.text).toBe(200);
  expect(await eventsOf('uploads')).toEqual([]);
  await service.sandbox.clock.advance(15 * 60_000);
  await vi.waitFor(async () => expect(await eventsOf('uploads')).toHaveLength(1), WAIT);
});

test('the tool gets the address of the connection, and sends one that only the upstream knows', async () => {
  const { id } = await connect('tool');
  const { webhookUrl } = await client.connections.get(CONNECTION);
  const reply = await owner.call('POST', '/v1/tools/convintel_webhook_create/execute', {
    body: { connectedAccountId: id, toolInput: { trigger: TRIGGER, url: webhookUrl } },
  });
  expect(reply.status, reply.text).toBe(200);
  const { data } = reply.json<{ data: { id: string; url: string } }>();
  expect(data.url.slice(0, -55)).toBe(webhookUrl);
  expect(data.url).toMatch(/\/[\w-]{54}$/);
  const { items } = await client.accounts.webhooks.list({ id });
  expect(items).toMatchObject([{ upstreamId: data.id, state: 'active' }]);
  const deleted = await owner.call('POST', '/v1/tools/convintel_webhook_delete/execute', {
    body: { connectedAccountId: id, toolInput: { id: data.id } },
  });
  expect(deleted.status, deleted.text).toBe(200);
  expect((await client.accounts.webhooks.list({ id })).items).toEqual([]);
  expect((await send(data.url, PAYLOAD)).status).toBe(404);
});

test('F1: a repeated delivery causes no second event', async () => {
  const { url } = await subscribe('repeated');
  for (const body of [PAYLOAD, PAYLOAD, { ...PAYLOAD, triggeredAt: '2026-11-20T09:00:00+00:00' }])
    expect((await send(url, body)).status).toBe(204);
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(url, { ...PAYLOAD, at: 1 })));
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(204));
  // Events are listed in the order of their commits, so the last one shows that no other is missing.
  expect((await send(url, { last: true })).status).toBe(204);
  const last = expect.objectContaining({ payload: { last: true } });
  await vi.waitFor(async () => expect(await eventsOf('repeated')).toContainEqual(last), WAIT);
  expect(await eventsOf('repeated')).toHaveLength(4);
});

test.each([
  { title: 'numbers and the order of keys', text: '{"b":12345678901234567890.10,"a":"\\u00e9"}' },
  { title: 'a NUL character and half a surrogate pair', text: '{"a":"\\u0000","b":"\\ud83d"}' },
  { title: 'a repeated key and a number out of range', text: '{"a":1,"a":1e400,"__proto__":{}}' },
  { title: '100 levels of nesting', text: `{"a":${'['.repeat(99)}${']'.repeat(99)}}` },
  { title: '60,000 values', text: JSON.stringify({ a: Array(60_000).fill(1) }) },
])('$title reach the application unchanged', async ({ title, text }) => {
  const { url } = await subscribe(`exact_${title.length}`);
  expect((await send(url, text)).status).toBe(204);
  await vi.waitFor(() => {
    const bodies = receiver.received('/all').map(({ body }) => body);
    expect(bodies.filter((body) => body.includes(`"payload":${text}}}`))).toHaveLength(1);
  }, WAIT);
});

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/cloudevents+json; charset=utf-8',
])('a webhook of the type %s is accepted', async (type) => {
  const identifier = `type_${type.length}`;
  const { url } = await subscribe(identifier);
  const reply = await send(url, PAYLOAD, { 'content-type': type });
  expect(reply.status, reply.text).toBe(204);
  const accepted = [expect.objectContaining({ payload: PAYLOAD })];
  await vi.waitFor(async () => expect(await eventsOf(identifier)).toEqual(accepted), WAIT);
});

test('unknown addresses get the same response, whatever they and their bodies are', async () => {
  const { url } = await subscribe('guessed');
  const other = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
  const { webhookUrl } = await client.connections.get(CONNECTION);
  const unknown = [other, `${webhookUrl}/${'a'.repeat(32)}`, `${service.url}/hooks/conn_x/${url.slice(-32)}`];
  const bodies = ['{}', 'no json', 'x'.repeat(300 * 1024)];
  const seen = new Set<string>();
  for (const address of unknown)
    for (const body of bodies) {
      const { status, text } = await send(address, body);
      seen.add(`${status} ${text.replaceAll(/req_\w+/g, 'req')}`);
    }
  expect([...seen]).toEqual([expect.stringMatching(/^404 /)]);
  expect([...seen][0]).not.toContain(url.slice(-32));
});

test.each([
  { title: 'text that is no JSON', body: '{', status: 400 },
  { title: 'a JSON list', body: '[]', status: 400 },
  { title: 'no body', body: '', status: 400 },
  { title: '201 levels', body: `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, status: 400 },
  { title: 'a body above 256 KiB', body: JSON.stringify({ text: 'x'.repeat(256 * 1024) }), status: 413 },
  { title: 'a form', body: 'a=b', status: 400, type: 'application/x-www-form-urlencoded' },
])('A10: a webhook with $title is refused and stored nowhere', async ({ title, body, status, type }) => {
  const identifier = title.replaceAll(' ', '_');
  const { id, url } = await subscribe(identifier);
  const reply = await send(url, body, type === undefined ? {} : { 'content-type': type });
  expect(reply.status, reply.text).toBe(status);
  const { items } = await client.accounts.webhooks.list(nameOf(identifier));
  expect(items.map((item) => [item.id, item.receivedAt])).toEqual([[id, undefined]]);
  // Events are listed in the order of their commits, so the event of an accepted payload shows that there is no other.
  expect((await send(url, PAYLOAD)).status).toBe(204);
  const accepted = [expect.objectContaining({ payload: PAYLOAD })];
  await vi.waitFor(async () => expect(await eventsOf(identifier)).toEqual(accepted), WAIT);
});

test('a payload whose type no endpoint wants is accepted and stored nowhere', async () => {
  await connect('unwanted');
  await client.accounts.webhooks.create(nameOf('unwanted'), { trigger: 'conversation_played' });
  expect((await send((await addresses()).at(-1) ?? '', PAYLOAD)).status).toBe(204);
  const { items } = await client.accounts.webhooks.list(nameOf('unwanted'));
  expect(items[0]).not.toHaveProperty('receivedAt');
});

test('O21 K7: deleting an account deletes its subscription at the upstream, and its payloads', async () => {
  const { upstreamId, url } = await subscribe('leaving');
  await send(url, PAYLOAD);
  await vi.waitFor(async () => expect(await eventsOf('leaving')).toMatchObject([{ payload: PAYLOAD }]), WAIT);
  await client.accounts.delete(nameOf('leaving'));
  expect(await deletedUpstream(upstreamId)).toBe(true);
  expect((await send(url, PAYLOAD)).status).toBe(404);
  expect(await eventsOf('leaving')).toMatchObject([{ payload: null }]);
});

test('O21: revoking the access of an account deletes its subscription at the upstream', async () => {
  const { upstreamId, url } = await subscribe('revoked');
  await client.accounts.revoke(nameOf('revoked'));
  expect(await deletedUpstream(upstreamId)).toBe(true);
  expect((await send(url, PAYLOAD)).status).toBe(404);
  expect((await client.accounts.webhooks.list(nameOf('revoked'))).items).toEqual([]);
});

test('O21: an upstream that fails does not keep an account from being deleted', async () => {
  await subscribe('stuck');
  await service.sandbox.dials(CONNECTION, { failNext: { count: 20, status: 503 } });
  await client.accounts.delete(nameOf('stuck'));
  await service.sandbox.dials(CONNECTION, { failNext: null });
  await expect(client.accounts.get(nameOf('stuck'))).rejects.toMatchObject({ code: 'account_not_found' });
});

test('a subscription that the upstream refuses is not stored', async () => {
  await connect('refused');
  await service.sandbox.dials(CONNECTION, { failNext: { count: 1, status: 422 } });
  const refused = client.accounts.webhooks.create(nameOf('refused'), { trigger: TRIGGER });
  await expect(refused).rejects.toMatchObject({ code: 'upstream_failed' });
  expect((await client.accounts.webhooks.list(nameOf('refused'))).items).toEqual([]);
});

test('a subscription whose outcome is unknown stays unconfirmed until it is deleted', async () => {
  await connect('unknown');
  await service.sandbox.dials(CONNECTION, { failNext: { count: 1, status: 500 } });
  const failed = client.accounts.webhooks.create(nameOf('unknown'), { trigger: TRIGGER });
  await expect(failed).rejects.toMatchObject({ code: 'upstream_failed' });
  const { items } = await client.accounts.webhooks.list(nameOf('unknown'));
  expect(items).toMatchObject([{ state: 'unconfirmed' }]);
  await client.accounts.webhooks.delete(nameOf('unknown'), items[0]?.id ?? '');
  expect((await client.accounts.webhooks.list(nameOf('unknown'))).items).toEqual([]);
});

test('a subscription can be deleted, also when the upstream no longer has it', async () => {
  const { id, upstreamId } = await subscribe('ending');
  await client.accounts.webhooks.delete(nameOf('ending'), id);
  expect(await deletedUpstream(upstreamId)).toBe(true);
  const second = await subscribe('ending');
  await service.sandbox.dials(CONNECTION, { failNext: { count: 1, status: 404 } });
  await client.accounts.webhooks.delete(nameOf('ending'), second.id);
  expect((await client.accounts.webhooks.list(nameOf('ending'))).items).toEqual([]);
});

test('A8: the address of a deleted subscription is no guess, so live webhooks from the same place arrive', async () => {
  const { url } = await subscribe('lasting');
  const { id, url: ended } = await subscribe('brief');
  await client.accounts.webhooks.delete(nameOf('brief'), id);
  async function statusesOf(address: string): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count += 1) statuses.add((await send(address, PAYLOAD)).status);
    return statuses;
  }
  expect(await statusesOf(ended)).toEqual(new Set([404]));
  expect((await send(url, PAYLOAD)).status).toBe(204);
  const guess = url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A');
  expect(await statusesOf(guess)).toEqual(new Set([404, 429]));
  expect((await send(url, PAYLOAD)).status).toBe(204);
});

test('an unknown trigger and an unknown type of event are refused', async () => {
  await connect('picky');
  await expect(
    client.accounts.webhooks.create(nameOf('picky'), { trigger: 'conversation_lost' }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(TRIGGER) });
  const types = ['convintel.conversation_lost' as 'account.deleted'];
  await expect(client.webhookEndpoints.create({ url: `${receiver.origin}/x`, types })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(TYPE),
  });
});

/** Adds another application with a connected account of its own. Returns the application and the account's id. */
async function addOther() {
  const other = await addApplication(service);
  const connection = { connectionName: CONNECTION, connector: CONNECTION };
  await other.call('POST', '/v1/connections', { body: connection });
  const account = { bearerToken: 'sandbox-other', verify: false };
  const reply = await other.call('PUT', `/v1/connections/${CONNECTION}/accounts/other`, { body: account });
  expect(reply.status, reply.text).toBe(201);
  return { other, otherId: reply.json<{ id: string }>().id };
}

test('A1: neither another application nor another account can see or delete the subscriptions of an account', async () => {
  const { id, accountId, upstreamId } = await subscribe('own');
  const { other, otherId } = await addOther();
  const { id: secondId } = await connect('second');
  expect((await other.call('GET', `/v1/accounts/${accountId}/webhooks`)).status).toBe(404);
  for (const [application, of] of [
    [other, accountId],
    [other, otherId],
    [owner, secondId],
  ] as const) {
    const reply = await application.call('DELETE', `/v1/accounts/${of}/webhooks/${id}`);
    expect([of, reply.status]).toEqual([of, 404]);
  }
  for (const [application, of] of [
    [other, otherId],
    [owner, secondId],
  ] as const)
    expect((await application.call('GET', `/v1/accounts/${of}/webhooks`)).json()).toEqual({ items: [] });
  expect((await client.accounts.webhooks.list({ id: accountId })).items).toMatchObject([{ id }]);
  expect(await deletedUpstream(upstreamId)).toBe(false);
});

test('the address of another connection is refused', async () => {
  const { id } = await connect('wrong');
  const url = `${service.url}/hooks/conn_0193f2a8c4d17b3e9a5c6d7e`;
  const reply = await owner.call('POST', '/v1/tools/convintel_webhook_create/execute', {
    body: { connectedAccountId: id, toolInput: { trigger: TRIGGER, url } },
  });
  expect(reply.status, reply.text).toBe(400);
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_input' } });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEverything } from '../support/databases/read-everything.js';
import type { Received, Receiver } from '../support/events/start-receiver.js';
import { startWatching } from '../support/events/start-watching.js';
import type { Watching } from '../support/events/watching.js';
import { addApplication } from '../support/service/second-application.js';
import { connectAccount, type Service } from '../support/service/service.js';

interface ItemEvent {
  readonly id: string;
  readonly data: { readonly watchId: string };
}

let service: Service;
let receiver: Receiver;
let watching: Watching;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ service, receiver, watching, stop } = await startWatching());
});
afterAll(() => stop());

test('a watched calendar reports new, changed and deleted events once, also to an endpoint', async () => {
  const { call, createWatch, started, run, reported } = watching;
  const types = ['watch.item_created', 'watch.item_changed', 'watch.item_deleted'];
  const endpoint = await call('POST', '/v1/webhook-endpoints', {
    body: { url: `${receiver.origin}/hook`, types, ordered: true },
  });
  expect(endpoint.status, endpoint.text).toBe(201);
  const watch = await createWatch('calendar_list_events', {});
  await started(watch.id);
  expect(await reported(watch.id)).toEqual([]);
  const { id } = await run('calendar_create_event', {
    summary: 'Review',
    start_datetime: '2026-12-01T09:00:00Z',
    event_duration_minutes: 30,
  });
  await expect.poll(() => reported(watch.id)).toEqual([`created ${id}`]);
  await run('calendar_update_event', { calendar_id: 'primary', event_id: id, summary: 'Retro' });
  await expect.poll(() => reported(watch.id)).toEqual([`created ${id}`, `changed ${id}`]);
  await run('calendar_delete_event', { event_id: id });
  const all = [`created ${id}`, `changed ${id}`, `deleted ${id}`];
  await expect.poll(() => reported(watch.id)).toEqual(all);
  await expect.poll(() => receiver.received('/hook').map(({ type }) => type)).toEqual(types);
  const [, changed] = receiver.received('/hook');
  expect(JSON.parse(changed?.body ?? '').data).toMatchObject({
    connectionName: 'calendar',
    identifier: 'ada',
    watchId: watch.id,
    toolName: 'calendar_list_events',
    itemId: id,
    version: expect.any(String),
    item: { id, summary: 'Retro' },
  });
});

test('a watch with an equal input, or equal by its defaults, is returned instead of a second one', async () => {
  const { call, createWatch } = watching;
  const input = { max_results: 3, single_events: true };
  const watch = await createWatch('calendar_list_events', input);
  const body = { toolName: 'calendar_list_events', connectionName: 'calendar', identifier: 'ada' };
  const same = await call('POST', '/v1/watches', {
    body: { ...body, toolInput: { single_events: true, max_results: 3, calendar_id: 'primary' }, every: 77 },
  });
  expect(same.status).toBe(200);
  expect(same.json()).toMatchObject({ id: watch.id, every: 77, toolInput: input });
  await watching.remove(watch.id);
});

test.each([
  {
    title: 'a tool that changes data',
    toolName: 'calendar_create_event',
    toolInput: {},
    part: 'calendar_list_events',
  },
  { title: 'an unknown tool', toolName: 'calendar_unknown', toolInput: {}, part: 'There is no tool' },
  {
    title: 'an input for pages',
    toolName: 'calendar_list_events',
    toolInput: { page_token: 'x' },
    part: 'page_token',
  },
  {
    title: 'an input that prevents sync tokens',
    toolName: 'calendar_list_events',
    toolInput: { query: 'x' },
    part: 'query',
  },
  {
    title: 'an invalid input',
    toolName: 'calendar_list_events',
    toolInput: { max_results: 0 },
    part: 'max_results',
  },
  {
    title: 'an input of more than 16 KiB',
    toolName: 'calendar_list_events',
    toolInput: { calendar_id: 'x'.repeat(16 * 1024) },
    part: 'at most 16384 bytes',
  },
  { title: 'a missing input', toolName: 'video_reporting_list_reports', toolInput: {}, part: 'job_id' },
])('a watch is refused: $title', async ({ toolName, toolInput, part }) => {
  const body = { toolName, toolInput, connectionName: toolName.split('_')[0], identifier: 'ada' };
  const reply = await watching.call('POST', '/v1/watches', { body });
  expect([400, 404]).toContain(reply.status);
  expect(reply.text).toContain(part);
});

test('A1: an application neither sees nor changes the watches and events of another application', async () => {
  const { createWatch, started, run, reported } = watching;
  const watch = await createWatch('calendar_list_events', { max_results: 11 });
  await started(watch.id);
  const { id } = await run('calendar_create_event', {
    summary: 'Own',
    start_datetime: '2026-12-05T09:00:00Z',
  });
  await expect.poll(() => reported(watch.id)).toEqual([`created ${id}`]);
  const other = await addApplication(service);
  expect((await other.call('GET', '/v1/watches')).json()).toEqual({ items: [] });
  expect((await other.call('GET', '/v1/events')).json()).toEqual({ items: [] });
  const path = `/v1/watches/${watch.id}`;
  for (const [method, body] of [['GET'], ['PATCH', { enabled: false }], ['DELETE']] as const)
    expect((await other.call(method, path, body === undefined ? {} : { body })).status).toBe(404);
  await watching.remove(watch.id);
});

test('K7: an item is stored encrypted until its account is deleted, and reaches lists and endpoints', async () => {
  const { call, createWatch, started, run } = watching;
  const { id: accountId } = await connectAccount(service, 'calendar', 'leaving');
  const created = await call('POST', '/v1/webhook-endpoints', {
    body: { url: `${receiver.origin}/items`, types: ['watch.item_created'] },
  });
  expect(created.status, created.text).toBe(201);
  const watch = await createWatch('calendar_list_events', {}, { identifier: 'leaving' });
  await started(watch.id);
  const summary = `Secret of ${randomUUID()}`;
  const { id } = await run('calendar_create_event', { summary, start_datetime: '2026-12-06T09:00:00Z' });
  const path = '/v1/events?pageSize=200&types=watch.item_created';
  const itemsOf = async () => {
    const { items } = (await call('GET', path)).json<{ items: readonly ItemEvent[] }>();
    return items.filter(({ data }) => data.watchId === watch.id);
  };
  const expected = { accountId, itemId: id, item: { id, summary } };
  await expect.poll(itemsOf).toMatchObject([{ data: expected }]);
  const [event] = await itemsOf();
  expect((await call('GET', `/v1/events/${event?.id}`)).json()).toEqual(event);
  const isOwn = (each: Received) => JSON.parse(each.body).data.watchId === watch.id;
  await expect.poll(() => receiver.received('/items').filter(isOwn)).toHaveLength(1);
  expect(JSON.parse(receiver.received('/items').find(isOwn)?.body ?? '').data).toEqual(event?.data);
  expect((await readEverything(service)).includes(event?.id ?? '')).toBe(true);
  expect((await readEverything(service)).includes(summary)).toBe(false);

  expect((await call('DELETE', '/v1/connections/calendar/accounts/leaving')).status).toBe(204);
  expect(await itemsOf()).toEqual([{ ...event, data: { ...event?.data, item: null } }]);
  expect((await call('GET', `/v1/events/${event?.id}`)).json()).toMatchObject({
    data: { itemId: id, item: null },
  });
});

test('an application in production polls at most once a minute', async () => {
  await service.app.applications.change(service.clientId, {
    production: true,
    verifyUrl: 'https://acme.example.com/verify',
  });
  const body = {
    toolName: 'calendar_list_events',
    toolInput: { max_results: 9 },
    connectionName: 'calendar',
    identifier: 'ada',
  };
  const refused = await watching.call('POST', '/v1/watches', { body: { ...body, every: 59 } });
  expect(refused.status, refused.text).toBe(400);
  const accepted = await watching.call('POST', '/v1/watches', { body });
  expect(accepted.json()).toMatchObject({ every: 300 });
});

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Application, signIn } from './application.js';
import { connectAccount, type Service, startService } from './service.js';

interface Watch {
  readonly id: string;
  readonly state: string;
  readonly reason?: string;
  readonly startedAt?: string;
}

interface WatchEvent {
  readonly type: string;
  readonly data: { readonly itemId?: string; readonly item?: Readonly<Record<string, unknown>> };
}

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace', 'convintel', 'video'] });
  owner = await signIn(service);
  for (const connection of ['calendar', 'workspace', 'convintel', 'video'])
    await connectAccount(service, connection, 'ada');
});
afterEach(() => vi.useRealTimers());
afterAll(() => service.stop());

async function createWatch(toolName: string, toolInput: object, settings: object = {}): Promise<Watch> {
  const body = {
    toolName,
    toolInput,
    connectionName: toolName.split('_')[0],
    identifier: 'ada',
    every: 1,
    ...settings,
  };
  const reply = await owner.call('POST', '/v1/watches', { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json<Watch>();
}

const get = async (id: string) => (await owner.call('GET', `/v1/watches/${id}`)).json<Watch>();
const started = (id: string) => expect.poll(async () => (await get(id)).state).toBe('watching');

/** Events of a watch until now, oldest first. */
async function eventsOf(id: string): Promise<readonly WatchEvent[]> {
  const reply = await owner.call('GET', '/v1/events?pageSize=200');
  const { items } = reply.json<{ items: (WatchEvent & { data: { watchId?: string } })[] }>();
  return items.filter(({ data }) => data.watchId === id);
}
const summary = ({ type, data }: WatchEvent) => `${type.replace('watch.item_', '')} ${data.itemId}`;

async function run(toolName: string, toolInput: object): Promise<Record<string, unknown>> {
  const body = { connectionName: toolName.split('_')[0], identifier: 'ada', toolInput };
  const reply = await owner.call('POST', `/v1/tools/${toolName}/execute`, { body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json<{ data: Record<string, unknown> }>().data;
}

const START = '2026-12-01T09:00:00Z';

test('a watched calendar reports new, changed and deleted events once', async () => {
  const watch = await createWatch('calendar_list_events', {});
  await started(watch.id);
  expect(await eventsOf(watch.id)).toEqual([]);
  const { id } = await run('calendar_create_event', { summary: 'Review', start_datetime: START, event_duration_minutes: 30 });
  await expect.poll(async () => (await eventsOf(watch.id)).map(summary)).toEqual([`created ${id}`]);
  await run('calendar_update_event', { calendar_id: 'primary', event_id: id, summary: 'Retro' });
  await expect.poll(async () => (await eventsOf(watch.id)).length).toBe(2);
  await run('calendar_delete_event', { event_id: id });
  await expect.poll(async () => (await eventsOf(watch.id)).length).toBe(3);
  const events = await eventsOf(watch.id);
  expect(events.map(summary)).toEqual([`created ${id}`, `changed ${id}`, `deleted ${id}`]);
  expect(events[1]?.data.item).toMatchObject({ id, summary: 'Retro' });
});

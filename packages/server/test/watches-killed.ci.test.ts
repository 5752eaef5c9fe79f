import { randomBytes } from 'node:crypto';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listForSandbox } from './allowed-origins.js';
import { clientOf, connectToSandbox, signIn } from './application.js';
import { connectAccount } from './service.js';
import { newSettings, type ServiceProcess, startProcess } from './service-process.js';
import { createWatching, type Watching } from './support/watching.js';

const ITEMS = 10_000;
const AT_ONCE = 20;
const EVENTS = '/v1/proxy/calendar/ada/calendar/v3/calendars/primary/events';
/** Time until another process polls a watch whose process was killed: the lease on PostgreSQL. */
const PATIENCE = { timeout: inject('postgres') === undefined ? 60_000 : 120_000, interval: 250 };

interface Item {
  readonly id: string;
  readonly etag: string;
}

interface ItemEvent {
  readonly type: string;
  readonly data: { readonly watchId?: string; readonly itemId?: string; readonly version?: string };
}

let sandbox: Sandbox;
let process: ServiceProcess;
let watching: Watching;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['calendar'], rateLimits: false });
  const env = {
    SVC_ROOT_KEY: randomBytes(32).toString('base64'),
    SVC_ALLOWED_ORIGINS: listForSandbox(sandbox),
  };
  process = await startProcess(await newSettings({ env }));
  watching = createWatching(process);
  await connectToSandbox(await signIn(process), sandbox, { id: 'calendar' });
  await connectAccount({ svc: clientOf(process, process.url) }, 'calendar', 'ada');
}, 120_000);
afterAll(async () => {
  await process.kill();
  await sandbox.stop();
});

/** Sends a request for each item, some at once, and returns the responses. */
async function each<Item>(items: readonly Item[], method: string, requestOf: (item: Item) => { path: string; body?: object }) {
  const replies: Item[] = [];
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const { path, body } = requestOf(item);
      const reply = await watching.call(method, path, body === undefined ? {} : { body });
      expect([200, 204], reply.text).toContain(reply.status);
      replies.push(reply.text === '' ? item : reply.json<Item>());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return replies;
}

const create = (count: number): Promise<readonly Item[]> => {
  const start = { dateTime: '2026-12-01T09:00:00Z' };
  const body = { summary: 'Review', start, end: { dateTime: '2026-12-01T10:00:00Z' } };
  const none: readonly Item[] = Array.from({ length: count }, () => ({ id: '', etag: '' }));
  return each(none, 'POST', () => ({ path: EVENTS, body }));
};
const edit = (items: readonly Item[]) =>
  each(items, 'PATCH', ({ id }) => ({
    path: `${EVENTS}/${id}`,
    body: { summary: `Review ${randomBytes(4).toString('hex')}` },
  }));
const remove = (items: readonly Item[]) => each(items, 'DELETE', ({ id }) => ({ path: `${EVENTS}/${id}` }));

async function readAll<Entry>(path: string, token: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let next = '';
  do {
    const page = (await watching.call('GET', path + next)).json<{
      items: Entry[];
      nextPageToken?: string;
    }>();
    entries.push(...page.items);
    next = page.nextPageToken === undefined ? '' : `&${token}=${page.nextPageToken}`;
  } while (next !== '');
  return entries;
}
const listItems = () => readAll<Item>(`${EVENTS}?maxResults=2500`, 'pageToken');
const listEvents = () => readAll<ItemEvent>('/v1/events?pageSize=200', 'pageToken');

/** Kills the process when it has read some more pages, and starts it again on the same data. */
async function killAfter(pages: number): Promise<void> {
  await sandbox.clearRequests();
  const isList = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && path.endsWith('/events');
  await expect
    .poll(async () => (await sandbox.requests('calendar')).filter(isList).length, PATIENCE)
    .toBeGreaterThan(pages);
  await process.kill();
  process = await startProcess(process);
}

/** Lists items whose events do not end with the current version, or that repeat a version. */
function problemsOf(events: readonly ItemEvent[], items: readonly Item[]): readonly string[] {
  const byItem = Map.groupBy(events, ({ data }) => data.itemId ?? '');
  const current = new Map(items.map(({ id, etag }) => [id, etag]));
  const missing = items.filter(({ id }) => !byItem.has(id)).map(({ id }) => `${id} is missing`);
  const wrong = [...byItem].flatMap(([id, own]) => {
    const kinds = own.map(({ type }) => type.replace('watch.item_', '')).join();
    const versions = own.map(({ data }) => data.version).filter((version) => version !== undefined);
    const isDeleted = !current.has(id);
    const isRight =
      /^created(,changed)*(,deleted)?$/.test(kinds) &&
      kinds.endsWith('deleted') === isDeleted &&
      new Set(versions).size === versions.length &&
      (isDeleted || versions.at(-1) === current.get(id));
    return isRight ? [] : [`${id}: ${kinds}`];
  });
  return [...missing, ...wrong];
}

test('F1: a watch of 10,000 items has no gap and no repeat despite edits, deletions, kills and a 429', async () => {
  const items = await create(ITEMS);
  const watch = await watching.createWatch('calendar_list_events', { max_results: 250 }, { from: 'start' });
  await killAfter(5);
  await edit(items.slice(0, 300));
  await remove(items.slice(300, 500));
  await create(100);
  await sandbox.dials('calendar', {
    failNext: { count: 4, status: 429, headers: { 'retry-after': '1' }, match: { method: 'GET' } },
  });
  const isStarted = async () => (await watching.get(watch.id)).state;
  await expect.poll(isStarted, PATIENCE).toBe('watching');
  await watching.disable(watch.id);
  await edit(items.slice(1000, 3000));
  await remove(items.slice(3000, 3500));
  await create(500);
  await watching.enable(watch.id);
  await killAfter(2);
  const expected = await listItems();
  const own = async () => (await listEvents()).filter(({ data }) => data.watchId === watch.id);
  await expect.poll(async () => problemsOf(await own(), expected), { ...PATIENCE, interval: 2000 }).toEqual([]);
  // Another complete poll reports nothing more.
  const { length } = await own();
  const polledAt = (await watching.get(watch.id)).polledAt ?? '';
  await expect.poll(async () => (await watching.get(watch.id)).polledAt ?? '', PATIENCE).not.toBe(polledAt);
  expect(await own()).toHaveLength(length);
}, 600_000);

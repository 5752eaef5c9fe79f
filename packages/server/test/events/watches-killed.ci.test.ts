import { randomBytes } from 'node:crypto';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createWatching, type Watching } from '../support/events/watching.js';
import { newSettings, type ServiceProcess, startProcess } from '../support/processes/service-process.js';
import { listEverything } from '../support/requests/list-everything.js';
import { isFull } from '../support/runner/rounds.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { clientOf, connectToSandbox, fetchReply, signIn } from '../support/service/application.js';
import { connectAccount } from '../support/service/service.js';

const ITEMS = isFull ? 10_000 : 1000;
const PAGES = 20;
const PAGE_SIZE = ITEMS / PAGES;
const percent = (share: number): number => (ITEMS * share) / 100;
const AT_ONCE = 100;
const EVENTS = '/calendar/v3/calendars/primary/events';
/** Time until another process polls a watch whose process was killed: the lease on PostgreSQL. */
const PATIENCE = { timeout: inject('postgres') === undefined ? 60_000 : 120_000, interval: 250 };

interface Item {
  readonly id: string;
  readonly etag: string;
}

interface ItemEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly itemId?: string; readonly version?: string };
}

let sandbox: Sandbox;
let process: ServiceProcess;
let watching: Watching;

beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['calendar'], rateLimits: false });
  await sandbox.dials('calendar', { quotaPerMinute: null, quotaPerDay: null });
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
  try {
    await process.kill();
  } finally {
    await sandbox.stop();
  }
});

const BOUNDARY = 'next_request';

/** Sends requests in batches, as a vendor's client would do. */
async function sendAll(
  method: string,
  ids: readonly string[],
  toBody?: (id: string) => object,
): Promise<void> {
  const { accessToken } = await signIn(process);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const parts = ids.slice(from, from + AT_ONCE).map((id) => {
      const path = method === 'POST' ? EVENTS : `${EVENTS}/${id}`;
      const body = toBody === undefined ? '' : JSON.stringify(toBody(id));
      return `--${BOUNDARY}\r\ncontent-type: application/http\r\n\r\n${method} ${path}\r\ncontent-type: application/json\r\n\r\n${body}\r\n`;
    });
    const reply = await fetchReply(`${process.url}/v1/proxy/calendar/ada/batch/calendar/v3`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': `multipart/mixed; boundary=${BOUNDARY}`,
      },
      body: `${parts.join('')}--${BOUNDARY}--\r\n`,
    });
    expect(reply.text.match(/HTTP\/1.1 20[04]/g), reply.text.slice(0, 500)).toHaveLength(parts.length);
  }
}

const newIds = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(5, '0')}`);
const create = (ids: readonly string[]) =>
  sendAll('POST', ids, (id) => ({
    id,
    summary: 'Review',
    start: { dateTime: '2026-12-01T09:00:00Z' },
    end: { dateTime: '2026-12-01T10:00:00Z' },
  }));
const edit = (ids: readonly string[]) =>
  sendAll('PATCH', ids, () => ({ summary: `Review ${randomBytes(4).toString('hex')}` }));
const remove = (ids: readonly string[]) => sendAll('DELETE', ids);

const listItems = () =>
  listEverything<Item>(
    (path) => watching.call('GET', path),
    `/v1/proxy/calendar/ada${EVENTS}?maxResults=2500`,
  );

const events: ItemEvent[] = [];

/** Returns all events of the watch, and reads only those that are new. */
async function readEvents(): Promise<readonly ItemEvent[]> {
  for (;;) {
    const last = events.at(-1);
    const after = last === undefined ? '' : `&after=${last.id}`;
    const reply = await watching.call('GET', `/v1/events?pageSize=200${after}`);
    const { items } = reply.json<{ readonly items: readonly ItemEvent[] }>();
    events.push(...items);
    if (items.length < 200) return events;
  }
}

/** Counts the pages of the list that the process has requested since the requests were cleared. */
async function countPages(): Promise<number> {
  const requests = await sandbox.requests('calendar');
  return requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/events')).length;
}

/**
 * Begins a poll of so many pages, kills the process after some of them, and starts it again on the same data. Slow
 * responses of the sandbox make sure that the kill comes before the last page.
 */
async function killDuring<Result>(
  begin: () => Promise<Result>,
  { after, of }: { readonly after: number; readonly of: number },
): Promise<Result> {
  await sandbox.clearRequests();
  await sandbox.dials('calendar', { latencyMs: 500 });
  const result = await begin();
  await expect.poll(countPages, { ...PATIENCE, interval: 50 }).toBeGreaterThan(after);
  await process.kill();
  expect(await countPages()).toBeLessThan(of);
  await sandbox.dials('calendar', { latencyMs: 0 });
  process = await startProcess(process);
  return result;
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

test('F1: a watch of many items has no gap and no repeat despite edits, deletions, kills and a 429', async () => {
  const ids = newIds('item', ITEMS);
  await create(ids);
  const input = { max_results: PAGE_SIZE };
  const watch = await killDuring(
    () => watching.createWatch('calendar_list_events', input, { from: 'start' }),
    { after: 5, of: PAGES },
  );
  await edit(ids.slice(0, percent(3)));
  await remove(ids.slice(percent(3), percent(5)));
  await create(newIds('later', percent(1)));
  await sandbox.dials('calendar', {
    failNext: { count: 4, status: 429, headers: { 'retry-after': '1' }, match: { method: 'GET' } },
  });
  await expect.poll(async () => (await watching.get(watch.id)).state, PATIENCE).toBe('watching');
  await watching.disable(watch.id);
  await edit(ids.slice(percent(10), percent(30)));
  await remove(ids.slice(percent(30), percent(35)));
  await create(newIds('last', percent(5)));
  // 25 % of the items were changed or deleted and 5 % created, which makes six pages.
  await killDuring(() => watching.enable(watch.id), { after: 2, of: 6 });
  const items = await listItems();
  await expect.poll(async () => problemsOf(await readEvents(), items), PATIENCE).toEqual([]);
  // Another complete poll reports nothing more. Events are listed in the order of their commits, so the event of one
  // more item shows that no other is missing.
  const { length } = events;
  await watching.polled(watch.id);
  const [marker = ''] = newIds('marker', 1);
  await create([marker]);
  const created = expect.objectContaining({ data: expect.objectContaining({ itemId: marker }) });
  await expect.poll(readEvents, PATIENCE).toContainEqual(created);
  expect(events).toHaveLength(length + 1);
}, 900_000);

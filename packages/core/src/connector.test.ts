import { expect, test, vi } from 'vitest';
import { fakeService, json } from '../test/fake-service.js';
import { connector } from './connector.js';
import type { ServiceError } from './errors.js';
import type { PagedTool, Tool } from './tool.js';

interface Item {
  id: number;
}

interface Body {
  toolInput: object;
}

interface Calendar {
  createEvent: Tool<{ summary: string; schema_version?: string }, Item>;
  listEvents: PagedTool<
    { page_token?: string; q?: string } | undefined,
    { items?: Item[]; next?: string },
    Item
  >;
  old: Tool<object, unknown>;
}

const calendar = connector<Calendar>('calendar', {
  createEvent: { version: ['1.0.0', '1.1.0'] },
  listEvents: { reads: true, page: 'items' },
  old: { tool: 'other_name', version: ['2.0.0', '2.0.0'], timeout: 300_000 },
});

interface Page {
  readonly next?: string;
  readonly [field: string]: unknown;
}

/** Creates the tools of a connector with a fake service, which responds with the given pages in order. */
function toolsWith(pages: readonly Page[], account: Parameters<typeof calendar>[1] = 'acct_1') {
  const headers = { 'svc-request-id': 'req_1' };
  const { svc, requests } = fakeService(
    pages.map(({ next, ...data }) => () => {
      const nextInput = next === undefined ? undefined : { page_token: next };
      return json({ data, nextInput, executionId: 'exec_1' }, { headers });
    }),
  );
  return {
    tools: calendar(svc, account),
    requests,
    bodies: async () => (await Promise.all(requests.map((sent) => sent.json()))) as Body[],
  };
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all = [];
  for await (const value of values) all.push(value);
  return all;
}

test('sends the input null of plain JavaScript to the service, which says what is wrong', async () => {
  const { tools, bodies } = toolsWith([{}]);
  await tools.createEvent(null as never);
  expect(await bodies()).toMatchObject([{ toolInput: null, schemaVersion: '1.0.0', toolVersion: '1.1.0' }]);
});

test.each([{ account: 'acct_1' }, { account: { id: 'acct_1' } }])(
  'runs a tool with the account $account',
  async ({ account }) => {
    const { tools, requests, bodies } = toolsWith([{ id: 1 }], account);
    expect(await tools.createEvent({ summary: 'Review' })).toEqual({
      data: { id: 1 },
      executionId: 'exec_1',
      requestId: 'req_1',
    });
    expect(requests[0]?.url).toBe('https://svc.example/v1/tools/calendar_create_event/execute');
    expect(await bodies()).toEqual([
      {
        connectedAccountId: 'acct_1',
        toolInput: { summary: 'Review' },
        schemaVersion: '1.0.0',
        toolVersion: '1.1.0',
      },
    ]);
  },
);

test('finds items at a nested path and requests the next page with every input in nextInput', async () => {
  const nested = connector<{ list: Calendar['listEvents'] }>('nested', {
    list: { page: 'body/items' },
  });
  const pages = [
    { data: { body: { items: [{ id: 1 }] } }, nextInput: { page: 2, key: 'k' } },
    { data: { body: null } },
  ].map((page) => () => json(page));
  const { svc, requests } = fakeService(pages);
  expect(await collect(nested(svc, 'acct_1').list.each({ q: 'a' }))).toEqual([{ id: 1 }]);
  expect(await Promise.all(requests.map(async (sent) => ((await sent.json()) as Body).toolInput))).toEqual([
    { q: 'a' },
    { q: 'a', page: 2, key: 'k' },
  ]);
});

test('runs a tool with the name of an account, without a request for its id', async () => {
  const { tools, requests, bodies } = toolsWith([{}], { connectionName: 'work', identifier: 'user_42' });
  await tools.old({});
  expect(requests).toHaveLength(1);
  expect(await bodies()).toMatchObject([{ connectionName: 'work', identifier: 'user_42', toolInput: {} }]);
});

test.each([
  { title: 'a reading tool', run: (tools: Calendar) => tools.listEvents(undefined), sent: 3 },
  {
    title: 'a writing tool with a generated key',
    run: (tools: Calendar) => tools.createEvent({ summary: 'x' }),
    sent: 3,
  },
  {
    title: 'a writing tool with an empty key',
    run: (tools: Calendar) => tools.createEvent({ summary: 'x' }, { idempotencyKey: '' }),
    sent: 1,
  },
  {
    title: 'a writing tool with an undefined key',
    run: (tools: Calendar) => tools.createEvent({ summary: 'x' }, { idempotencyKey: undefined }),
    sent: 3,
  },
  {
    title: 'a reading tool with undefined options',
    run: (tools: Calendar) => tools.listEvents(undefined, { readOnly: undefined }),
    sent: 3,
  },
])('sends $title $sent times while the connection fails', async ({ run, sent }) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { svc, requests } = fakeService([() => Promise.reject(new TypeError('fetch failed'))]);
  const error = await run(calendar(svc, 'acct_1')).catch((thrown: unknown) => thrown);
  expect(requests).toHaveLength(sent);
  const keys = new Set(requests.map(({ headers }) => headers.get('idempotency-key')));
  expect(keys).toEqual(new Set([(error as ServiceError).idempotencyKey || null]));
  vi.restoreAllMocks();
});

test('a header of the call replaces the default header of the same name in any letter case', async () => {
  const { tools, requests } = toolsWith([{}]);
  await tools.createEvent({ summary: 'x' }, { headers: { 'Idempotency-Key': 'mine' } });
  expect(requests[0]?.headers.get('idempotency-key')).toBe('mine');
});

test('two calls have different idempotency keys', async () => {
  const { tools, requests } = toolsWith([{}]);
  await tools.createEvent({ summary: 'x' });
  await tools.createEvent({ summary: 'x' });
  expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
});

test.each([
  { title: 'the timeout of the tool', call: undefined, ends: 300_000 },
  { title: 'the timeout of the call', call: 5_000, ends: 5_000 },
])('a long-running tool uses $title', async ({ call, ends }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const { svc } = fakeService([() => new Promise<Response>(() => {})], { timeout: 100 });
  const ended = vi.fn();
  calendar(svc, 'acct_1').old({}, { timeout: call }).catch(ended);
  await vi.advanceTimersByTimeAsync(ends - 1_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'timeout' }));
  vi.useRealTimers();
});

test('a tool without a version uses version 1.0.0', async () => {
  const { tools, bodies } = toolsWith([{ items: [] }]);
  await tools.listEvents(undefined);
  expect(await bodies()).toMatchObject([{ schemaVersion: '1.0.0', toolVersion: '1.0.0' }]);
});

test('a method can have a different name than its tool', async () => {
  const { tools, requests } = toolsWith([{}]);
  await tools.old({});
  expect(requests[0]?.url).toContain('/v1/tools/calendar_other_name/');
});

test.each([
  {
    title: 'the option schemaVersion',
    input: {},
    options: { schemaVersion: '0.9.0' },
    sent: { schemaVersion: '0.9.0' },
  },
  {
    title: 'the option toolVersion',
    input: {},
    options: { toolVersion: '0.9.1' },
    sent: { toolVersion: '0.9.1' },
  },
  { title: 'the input', input: { schema_version: '0.8.0' }, options: {}, sent: { schemaVersion: '0.8.0' } },
])('a version in $title replaces both default versions', async ({ input, options, sent }) => {
  const { tools, bodies } = toolsWith([{}]);
  await tools.createEvent({ summary: 'x', ...input }, options);
  expect(await bodies()).toEqual([
    { connectedAccountId: 'acct_1', toolInput: { summary: 'x', ...input }, ...sent },
  ]);
});

test('sends the key and the headers of the call options', async () => {
  const { tools, requests } = toolsWith([{}]);
  await tools.createEvent({ summary: 'x' }, { idempotencyKey: 'key-1', headers: { 'x-trace': 't' } });
  expect(requests[0]?.headers.get('idempotency-key')).toBe('key-1');
  expect(requests[0]?.headers.get('x-trace')).toBe('t');
});

test('each returns the items of all pages and requests a page only when needed', async () => {
  const pages = [{ items: [{ id: 1 }, { id: 2 }], next: 'b' }, { next: 'c' }, { items: [{ id: 3 }] }];
  const { tools, requests, bodies } = toolsWith(pages);
  const items = tools.listEvents.each({ q: 'x' })[Symbol.asyncIterator]();
  expect(requests).toHaveLength(0);
  expect([await items.next(), await items.next()].map(({ value }) => value.id)).toEqual([1, 2]);
  expect(requests).toHaveLength(1);
  expect((await items.next()).value).toEqual({ id: 3 });
  expect((await items.next()).done).toBe(true);
  expect((await bodies()).map(({ toolInput }) => toolInput)).toEqual([
    { q: 'x' },
    { q: 'x', page_token: 'b' },
    { q: 'x', page_token: 'c' },
  ]);
});

test('each sends an idempotency key only with the first page', async () => {
  const pages = [{ items: [{ id: 1 }], next: 'b' }, { items: [{ id: 2 }] }];
  const { tools, requests } = toolsWith(pages);
  await collect(tools.listEvents.each({}, { idempotencyKey: 'key-1' }));
  expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key-1', null]);
});

test.each([
  { limit: 0, requests: 0 },
  { limit: 2, requests: 1 },
  { limit: 3, requests: 2 },
  { limit: 9, requests: 2 },
])('each returns $limit items with $requests requests', async ({ limit, requests: expected }) => {
  const pages = [{ items: [{ id: 1 }, { id: 2 }], next: 'b' }, { items: [{ id: 3 }] }];
  const { tools, requests } = toolsWith(pages);
  const items = await collect(tools.listEvents.each({}, { limit }));
  expect(items.map(({ id }) => id)).toEqual([1, 2, 3].slice(0, limit));
  expect(requests).toHaveLength(expected);
});

test('pages returns the response of each page', async () => {
  const { tools } = toolsWith([{ items: [{ id: 1 }], next: 'b', etag: 'x' }, { items: [] }]);
  const pages = await collect(tools.listEvents.pages({}));
  expect(pages.map(({ data }) => data)).toEqual([{ items: [{ id: 1 }], etag: 'x' }, { items: [] }]);
  expect(pages[0]?.executionId).toBe('exec_1');
});

test('each starts at the requested page', async () => {
  const { tools, bodies } = toolsWith([{ items: [] }]);
  await collect(tools.listEvents.each({ page_token: 'm' }));
  expect((await bodies())[0]?.toolInput).toEqual({ page_token: 'm' });
});

test.each([
  { title: 'itself', nexts: ['b', 'b'] },
  { title: 'an earlier page', nexts: ['b', 'c', 'b'] },
])('each rejects a page that names $title as the next page', async ({ nexts }) => {
  const { tools, requests } = toolsWith(nexts.map((next) => ({ items: [], next })));
  await expect(collect(tools.listEvents.each(undefined))).rejects.toMatchObject({
    code: 'repeated_page_token',
  });
  expect(requests).toHaveLength(nexts.length);
});

test('each rejects with the reason of an aborted signal', async () => {
  const { tools } = toolsWith([
    { items: [{ id: 1 }], next: 'b' },
    { items: [{ id: 2 }], next: 'c' },
  ]);
  const abort = new AbortController();
  const items = tools.listEvents.each({}, { signal: abort.signal })[Symbol.asyncIterator]();
  await items.next();
  abort.abort('enough');
  await expect(items.next()).rejects.toBe('enough');
});

test('sends dryRun and the versions of the package together with other options', async () => {
  const { tools, bodies } = toolsWith([{}]);
  await tools.createEvent({ summary: 'Review' }, { dryRun: true, timeout: 1000 });
  expect(await bodies()).toEqual([
    {
      connectedAccountId: 'acct_1',
      toolInput: { summary: 'Review' },
      schemaVersion: '1.0.0',
      toolVersion: '1.1.0',
      dryRun: true,
    },
  ]);
});

test.each([
  { title: 'no account', account: undefined },
  { title: 'an account with other names', account: { connection: 'calendar', userId: 'user_42' } },
  { title: 'half the name of an account', account: { connectionName: 'calendar' } },
  { title: 'an empty id', account: '' },
])('refuses $title when the tools are created, and reports the accepted arguments', ({ account }) => {
  const { svc } = fakeService([]);
  expect(() => calendar(svc, account as unknown as string)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message:
        'calendar() needs a client and an account. Pass the account, its id, or { connectionName, identifier }.',
    }),
  );
});

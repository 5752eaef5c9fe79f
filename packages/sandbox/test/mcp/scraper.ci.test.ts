import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { initialize, type McpSession, openSession, post } from './session.js';

const TOKEN = 'sandbox-token';
const PINNED =
  'search-actors,fetch-actor-details,call-actor,search-apify-docs,fetch-apify-docs,get-actor-run,abort-actor-run,get-actor-run-log,get-dataset-items,apify/rag-web-browser';

let sandbox: Sandbox;
let url: string;
let api: string;
beforeAll(async () => {
  sandbox = await startSandbox({ connectors: ['scrapermcp'] });
  const { baseUrl, hosts } = sandbox.upstream('scrapermcp');
  url = `${baseUrl}/?tools=${PINNED}`;
  api = hosts?.['api'] ?? '';
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.reset());

const getApi = async (path: string, token = TOKEN) => {
  const response = await fetch(api + path, { headers: { authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  return { status: response.status, body: (await response.json()) as any };
};
const crawl = (maxCrawlPages: number) => ({
  actor: 'apify/website-content-crawler',
  input: { startUrls: [{ url: 'https://example.com' }], maxCrawlPages },
});

describe('all generations of the scraping platform', () => {
  test('refuse invalid tokens with the error body of each host', async () => {
    const { status, headers, message } = await initialize(url, 'other');

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(message).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    expect(await getApi('/v2/users/me', 'other')).toMatchObject({
      status: 401,
      body: { error: { type: 'user-or-token-not-found' } },
    });
    expect(await getApi('/v2/users/me')).toMatchObject({ status: 200, body: { data: { username: 'ada' } } });
  });

  test.each([
    { toolSet: 'newest' as const, count: 11, has: ['call-actor-mcp-tool'], version: '0.20.0' },
    {
      toolSet: 'new' as const,
      count: 10,
      has: ['get-actor-run-log', 'apify--rag-web-browser'],
      version: '0.16.0',
    },
    {
      toolSet: 'old' as const,
      count: 9,
      has: ['get-actor-output', 'apify--rag-web-browser'],
      version: '0.9.22',
    },
  ])('list the tools of the $toolSet set', async ({ toolSet, count, has, version }) => {
    await sandbox.dials('scrapermcp', { toolSet });
    const session = await openSession(url, TOKEN);
    const { message } = await session.request('tools/list');
    const names = message.result.tools.map(({ name }: { name: string }) => name);

    expect(session.server.serverInfo.version).toBe(version);
    expect(names).toHaveLength(count);
    expect(names).toEqual(expect.arrayContaining(has));
  });

  test('end the sessions of the other generation', async () => {
    const session = await openSession(url, TOKEN);
    await sandbox.dials('scrapermcp', { toolSet: 'old' });

    expect((await session.request('tools/list')).status).toBe(404);
  });

  test('require a session', async () => {
    expect((await post(url, TOKEN, { message: { id: 1, method: 'tools/list' } })).status).toBe(400);
  });

  test.each([
    {
      title: 'a memory size that is not a power of two',
      toolSet: 'new' as const,
      args: { callOptions: { memory: 1000 } },
    },
    { title: 'a wait of a minute', toolSet: 'new' as const, args: { waitSecs: 60 } },
  ])('refuse $title', async ({ toolSet, args }) => {
    await sandbox.dials('scrapermcp', { toolSet });
    const session = await openSession(url, TOKEN);

    expect((await session.call('call-actor', { ...crawl(1), ...args })).message.error).toMatchObject({
      code: -32602,
    });
  });

  test.each([
    // The tool set ignores the option of the other set, so the call waits until the run ends.
    { title: 'async', toolSet: 'new' as const, args: { async: true }, expected: { status: 'SUCCEEDED' } },
    { title: 'waitSecs', toolSet: 'old' as const, args: { waitSecs: 0 }, expected: { itemCount: 1 } },
  ])('ignore $title, which the $toolSet generation does not support', async ({ toolSet, args, expected }) => {
    await sandbox.dials('scrapermcp', { toolSet });
    const session = await openSession(url, TOKEN);

    expect(await session.result('call-actor', { ...crawl(1), ...args })).toMatchObject(expected);
  });

  test.each(['new', 'old'] as const)(
    'run actors as tools by their current and earlier names: %s',
    async (toolSet) => {
      await sandbox.dials('scrapermcp', { toolSet });
      const own = `${url.split('?')[0]}?tools=apify/website-content-crawler,apify/rag-web-browser,no-such-tool`;
      const session = await openSession(own, TOKEN);
      const { message } = await session.request('tools/list');
      const earlier = await session.call('apify-slash-rag-web-browser', { query: 'engines' });

      expect(message.result.tools.map(({ name }: { name: string }) => name)).toEqual([
        'apify--website-content-crawler',
        'apify--rag-web-browser',
      ]);
      expect(earlier.message.result.structuredContent.runId).toMatch(/^\w+$/);
      expect((await session.call('apify--website-content-crawler', {})).message.error.code).toBe(-32602);
    },
  );

  test.each([
    { tools: 'search-actors,fetch-apify-docs', status: 200 },
    { tools: 'search-actors,call-actor', status: 401 },
  ])('require a token only for tools that run actors: $tools, $status', async ({ tools, status }) => {
    const selected = `${url.split('?')[0]}?tools=${tools}`;

    expect((await initialize(selected, undefined)).status).toBe(status);
    expect((await initialize(selected, 'other')).status).toBe(status);
  });

  test.each([
    { toolSet: 'new' as const, limit: 11, error: -32602 },
    { toolSet: 'old' as const, limit: 101, error: -32602 },
  ])('limit the number of search results of the $toolSet set', async ({ toolSet, limit, error }) => {
    await sandbox.dials('scrapermcp', { toolSet });
    const session = await openSession(url, TOKEN);

    expect((await session.call('search-actors', { limit })).message.error.code).toBe(error);
    expect((await session.result('search-actors', { limit: limit - 1 })).actors.length).toBeGreaterThan(9);
  });

  test('drop the oldest of more than 1000 sessions', async () => {
    const open = async (count: number) => {
      for (let opened = 0; opened < count; opened += 1) await initialize(url, TOKEN);
    };
    const oldest = await openSession(url, TOKEN);
    await Promise.all(Array.from({ length: 9 }, () => open(111)));
    expect((await oldest.request('ping')).status).toBe(200);
    await open(1);
    expect((await oldest.request('ping')).status).toBe(404);
  });
});

describe('the newer generation', () => {
  let session: McpSession;
  beforeEach(async () => {
    session = await openSession(url, TOKEN);
  });

  test('returns the run with progress notifications and its items separately', async () => {
    const response = await session.call('call-actor', { ...crawl(3), waitSecs: 45 });
    const run = response.message.result.structuredContent;
    const items = await session.result('get-dataset-items', {
      datasetId: run.storages.datasets.default.id,
      fields: 'url,metadata.title',
      limit: 2,
    });

    expect(response.notifications).toHaveLength(2);
    expect(run).toMatchObject({ status: 'SUCCEEDED', storages: { datasets: { default: { itemCount: 3 } } } });
    expect(run).not.toHaveProperty('items');
    expect(items).toMatchObject({
      items: [
        { url: 'https://example.com/1', 'metadata.title': 'Page 1' },
        { url: 'https://example.com/2', 'metadata.title': 'Page 2' },
      ],
      itemCount: 2,
      totalItemCount: 3,
    });
  });

  test('keeps a long run running across several waits until the clock advances', async () => {
    const { runId } = await session.result('call-actor', { ...crawl(200), waitSecs: 0 });
    const statusAfter = async (waitSecs: number) =>
      (await session.result('get-actor-run', { runId, waitSecs })).status;

    expect([await statusAfter(45), await statusAfter(45)]).toEqual(['RUNNING', 'RUNNING']);
    await sandbox.clock.advance(20_000);
    expect(await statusAfter(0)).toBe('SUCCEEDED');
  });

  test('returns the storages of a run in the REST API', async () => {
    const { runId, storages } = await session.result('call-actor', crawl(1));
    const { body } = await getApi(`/v2/actor-runs/${runId}`);

    expect(body.data).toMatchObject({
      id: runId,
      status: 'SUCCEEDED',
      defaultDatasetId: storages.datasets.default.id,
      defaultRequestQueueId: expect.any(String),
    });
    expect((await getApi(`/v2/actor-runs/${runId}`, 'sandbox-other')).status).toBe(404);
  });

  test('omits the output schema from the details by default', async () => {
    const silent = await session.result('fetch-actor-details', { actor: 'apify/rag-web-browser' });
    const details = await session.result('fetch-actor-details', {
      actor: 'apify/rag-web-browser',
      output: { outputSchema: true },
    });

    expect(Object.keys(silent)).toEqual(['actorInfo', 'readme', 'inputSchema']);
    expect(Object.keys(details)).toEqual(['actorInfo', 'outputSchema']);
  });

  test.each([
    { title: 'an unknown actor', actor: 'nobody/nothing', text: /was not found/ },
    {
      title: 'an input that violates its schema',
      actor: 'apify/website-content-crawler',
      text: /Input schema: \{/,
    },
    { title: 'an actor in standby mode', actor: 'examples/standby-screenshot-api', text: /standby/ },
    {
      title: 'an actor that needs approval',
      actor: 'examples/account-cleaner',
      text: /full-permission-actor/,
    },
  ])('returns a tool error for $title', async ({ actor, text }) => {
    const { message } = await session.call('call-actor', { actor, input: {} });

    expect(message.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(text) }] });
  });

  test('forwards a call to a tool of an actor', async () => {
    const { message } = await session.call('call-actor', {
      actor: 'examples/weather-mcp-server:get-forecast',
      input: { city: 'Turin' },
    });

    expect(message.result).toMatchObject({
      structuredContent: { runId: 'mcp-passthrough' },
      content: [{ text: 'The forecast for Turin: clear, 21 °C.' }],
    });
  });

  test.each([
    {
      title: 'a run that fails',
      args: { actor: 'examples/blocked-website-scraper', input: {} },
      status: 'FAILED',
    },
    { title: 'a timeout', args: { ...crawl(50), callOptions: { timeout: 5 } }, status: 'TIMED-OUT' },
  ])('reports $title by its status', async ({ args, status }) => {
    expect((await session.result('call-actor', args)).status).toBe(status);
  });
});

describe('the newest generation', () => {
  const FORECAST = { actor: 'examples/weather-mcp-server', tool: 'get-forecast', input: { city: 'Turin' } };
  let session: McpSession;
  beforeEach(async () => {
    await sandbox.dials('scrapermcp', { toolSet: 'newest' });
    session = await openSession(url, TOKEN);
  });

  test('calls the tool of an actor without a run and refuses an unknown tool', async () => {
    const { message } = await session.call('call-actor-mcp-tool', FORECAST);
    const refused = await session.call('call-actor-mcp-tool', { ...FORECAST, tool: 'get-news' });

    expect(message.result).toEqual({
      content: [{ type: 'text', text: 'The forecast for Turin: clear, 21 °C.' }],
    });
    expect(refused.message.result.isError).toBe(true);
  });

  test('refuses owner/name:tool as an actor and runs other actors', async () => {
    const refused = await session.call('call-actor', {
      actor: 'examples/weather-mcp-server:get-forecast',
      input: { city: 'Turin' },
    });

    expect(refused.message.error.code).toBe(-32602);
    expect(await session.result('call-actor', crawl(1))).toMatchObject({ status: 'SUCCEEDED' });
  });
});

describe('the older generation', () => {
  let session: McpSession;
  beforeEach(async () => {
    await sandbox.dials('scrapermcp', { toolSet: 'old' });
    session = await openSession(url, TOKEN);
  });

  test('waits for a run and returns its items', async () => {
    expect(await session.result('call-actor', crawl(3))).toMatchObject({ itemCount: 3, items: [{}, {}, {}] });
    expect(await session.result('call-actor', { ...crawl(3), previewOutput: false })).toMatchObject({
      itemCount: 3,
      items: [],
    });
  });

  test('starts a run asynchronously and reports its status', async () => {
    const started = await session.result('call-actor', { ...crawl(10), async: true });
    const first = await session.result('get-actor-run', { runId: started.runId });
    const last = await session.result('get-actor-run', { runId: started.runId });

    expect(started).not.toHaveProperty('datasetId');
    expect(first.status).toBe('RUNNING');
    expect(last).toMatchObject({ status: 'SUCCEEDED', dataset: { itemCount: 10 } });
    expect(last.dataset.previewItems).toHaveLength(5);
  });
});

describe('the documentation tools', () => {
  test('search by source, and fetch only URLs of the documentation', async () => {
    const session = await openSession(url, TOKEN);
    const { results } = await session.result('search-apify-docs', {
      query: 'storages',
      docSource: 'crawlee-py',
    });
    const page = await session.result('fetch-apify-docs', { url: results[0].url });
    const elsewhere = await session.call('fetch-apify-docs', { url: 'https://example.com/docs' });

    expect(results).toMatchObject([{ url: 'https://crawlee.dev/py/docs/guides/storages' }]);
    expect(page.content).toContain('Crawlee for Python');
    expect(elsewhere.message.result.isError).toBe(true);
  });
});

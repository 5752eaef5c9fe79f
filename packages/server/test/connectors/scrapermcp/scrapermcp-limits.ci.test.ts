import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Application, signIn } from '../../support/service/application.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { executeTool } from '../../support/tools/execute-tool.js';

let service: Service;
let application: Application;
let accountId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['scrapermcp'] });
  application = await signIn(service);
  accountId = (await connectAccount(service, 'scrapermcp')).id;
});

afterAll(() => service.stop());

beforeEach(() => service.sandbox.clearRequests());

const execute = (tool: string, toolInput: object) =>
  executeTool(application, `scrapermcp_${tool}`, { connectedAccountId: accountId, toolInput });

/** Arguments of the MCP tool calls that reached the upstream. */
const sent = async () =>
  (await service.sandbox.requests('scrapermcp')).flatMap(({ body }) => {
    const { method, params } = (body ?? {}) as { method?: string; params?: { arguments?: object } };
    return method === 'tools/call' ? [params?.arguments] : [];
  });

test.each([
  { row: 'Actor search: limit 1-100', tool: 'search_actors', input: {}, name: 'limit', bad: [0, 101] },
  { row: 'Docs search: limit 1-20', tool: 'search_docs', input: { query: 'x' }, name: 'limit', bad: [0, 21] },
  { row: 'Actor search: offset', tool: 'search_actors', input: {}, name: 'offset', bad: [-1] },
  {
    row: 'Actor output: offset',
    tool: 'get_actor_output',
    input: { datasetId: 'd' },
    name: 'offset',
    bad: [-1],
  },
])('$row refuses values outside the limits', async ({ tool, input, name, bad }) => {
  for (const value of bad) {
    const reply = await execute(tool, { ...input, [name]: value });
    expect(reply.json()).toMatchObject({
      error: { code: 'invalid_input', details: { errors: [{ field: name }] } },
    });
  }
  expect(await service.sandbox.requests()).toEqual([]);
});

test.each([
  {
    row: 'Actor search: limit default 5, offset default 0',
    tool: 'search_actors',
    input: {},
    first: { limit: 5, offset: 0 },
  },
  {
    row: 'Docs search: limit default 5, source default platform',
    tool: 'search_docs',
    input: { query: 'dataset' },
    first: { limit: 5, offset: 0, docSource: 'apify' },
  },
  {
    row: 'Actor output: limit default 100; offset default 0',
    tool: 'get_actor_output',
    input: { datasetId: 'd' },
    first: { limit: 100, offset: 0 },
  },
  {
    row: 'Web browser tool: maxResults default 3, outputFormats default markdown',
    tool: 'rag_web_browser',
    input: { query: 'looms' },
    first: { maxResults: 3, outputFormats: ['markdown'] },
  },
])('$row', async ({ tool, input, first }) => {
  await execute(tool, input);

  expect((await sent())[0]).toMatchObject(first);
});

test('Actor search: a limit of 100 is requested in pages of ten', async () => {
  const reply = await execute('search_actors', { limit: 100 });
  const { data } = reply.json<{ data: { actors: readonly unknown[] } }>();

  expect(await sent()).toMatchObject([0, 10, 20, 30, 40].map((offset) => ({ limit: 10, offset })));
  expect(data.actors).toHaveLength(42);
});

test('Actor call: a run longer than one wait of 45 seconds is polled until it ends', async () => {
  const input = { startUrls: [{ url: 'https://example.com' }], maxCrawlPages: 200 };
  const reply = await execute('call_actor', {
    actor: 'apify/website-content-crawler',
    input,
    previewOutput: false,
  });

  expect(reply.json()).toMatchObject({ data: { status: 'SUCCEEDED', itemCount: 200 } });
  expect(await sent()).toMatchObject([{ input, waitSecs: 45 }, { waitSecs: 45 }, { waitSecs: 45 }]);
});

test('Actor call: an input of almost 9 MiB is accepted, and a larger one is refused', async () => {
  const call = (bytes: number) =>
    execute('call_actor', {
      actor: 'apify/rag-web-browser',
      input: { query: 'x'.repeat(bytes) },
      async: true,
    });
  const most = 9 * 1024 * 1024 - 1024;
  expect((await call(most)).status).toBe(200);
  expect(JSON.stringify(await sent()).includes('x'.repeat(most))).toBe(true);
  expect((await call(most + 1024)).status).toBe(413);
});

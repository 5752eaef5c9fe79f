import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, signIn } from '../../support/service/application.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { executeTool } from '../../support/tools/execute-tool.js';
import { recordTools } from '../../support/tools/record-tools.js';

let service: Service;
let application: Application;
let accountId: string;

const execute = (tool: string, toolInput: object) =>
  executeTool(application, `scrapermcp_${tool}`, { connectedAccountId: accountId, toolInput });

beforeAll(async () => {
  service = await startService({ connectors: ['scrapermcp'] });
  application = await signIn(service);
  accountId = (await connectAccount(service, 'scrapermcp')).id;
  // Opens the MCP session and lists the tools, so that tests see only the requests of their own call.
  await execute('search_actors', {});
});

afterAll(() => service.stop());

beforeEach(async () => {
  await service.sandbox.dials('scrapermcp', { failNext: null });
  await service.sandbox.clearRequests();
});

const requests = () => service.sandbox.requests('scrapermcp');

const run = { actor: 'apify/website-content-crawler', input: {} };
// Valid input of every tool, a change that makes it invalid, and the field and rule of the expected error.
const CALLS = [
  {
    tool: 'abort_run',
    good: { runId: 'r1' },
    bad: { gracefully: 'yes' },
    field: 'gracefully',
    rule: 'type',
  },
  {
    tool: 'call_actor',
    good: run,
    bad: { callOptions: { memory: 1000 } },
    field: 'callOptions.memory',
    rule: 'enum',
    isPaid: true,
  },
  {
    tool: 'fetch_actor_details',
    good: { actor: 'apify/rag-web-browser' },
    bad: { output: { price: true } },
    field: 'output.price',
    rule: 'additionalProperties',
  },
  {
    tool: 'fetch_docs',
    good: { url: 'https://docs.apify.com/platform/proxy' },
    bad: { url: 'https://docs.apify.com.example.org/platform' },
    field: 'url',
    rule: 'pattern',
  },
  { tool: 'get_actor_output', good: { datasetId: 'd1' }, bad: { limit: 0 }, field: 'limit', rule: 'minimum' },
  { tool: 'get_actor_run', good: { runId: 'r1' }, bad: { runId: '' }, field: 'runId', rule: 'minLength' },
  { tool: 'get_run_log', good: { runId: 'r1' }, bad: { lines: 501 }, field: 'lines', rule: 'maximum' },
  {
    tool: 'rag_web_browser',
    good: { query: 'looms' },
    bad: { outputFormats: ['pdf'] },
    field: 'outputFormats[0]',
    rule: 'enum',
    isPaid: true,
  },
  {
    tool: 'search_actors',
    good: {},
    bad: { limit: 2.5 },
    field: 'limit',
    rule: 'type',
  },
  {
    tool: 'search_docs',
    good: { query: 'proxy' },
    bad: { docSource: 'apify' },
    field: 'docSource',
    rule: 'enum',
  },
];

test.each(CALLS)('$tool refuses an input that breaks $rule and sends nothing', async (call) => {
  const { tool, good, bad, field, rule } = call;
  const reply = await execute(tool, { ...good, ...bad });

  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({
    error: { code: 'invalid_input', details: { errors: [{ field, rule }] } },
  });
  expect(await requests()).toEqual([]);
});

test.each(CALLS)('$tool returns an error of the upstream after one request', async ({ tool, good }) => {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message: 'Pay first.' }, id: null };
  await service.sandbox.dials('scrapermcp', { failNext: { count: 1, status: 402, body } });
  const reply = await execute(tool, good);

  expect(reply.status).toBe(424);
  expect(reply.json()).toMatchObject({
    error: {
      code: 'upstream_failed',
      details: { status: 402, body, advice: expect.stringContaining('plan') },
    },
  });
  expect(await requests()).toHaveLength(1);
});

test('the table contains every tool', () => {
  expect(CALLS.map(({ tool }) => `scrapermcp_${tool}`).sort()).toEqual(
    recordTools(service, 'scrapermcp').names,
  );
});

describe.each([429, 502])('a call after status %i', (status) => {
  const retryAfter = { 'retry-after': '0' };
  const fail = () =>
    service.sandbox.dials('scrapermcp', { failNext: { count: 1, status, headers: retryAfter } });

  test.each(CALLS.filter(({ isPaid }) => isPaid))(
    'is not retried because it costs money: $tool',
    async (call) => {
      await fail();
      const reply = await execute(call.tool, call.good);

      expect(reply.json()).toMatchObject({ error: { code: 'upstream_failed', details: { status } } });
      expect(await requests()).toHaveLength(1);
    },
  );

  test('is retried when it only reads', async () => {
    await fail();
    const reply = await execute('fetch_docs', { url: 'https://docs.apify.com/platform/proxy' });

    expect(reply.status).toBe(200);
    expect(await requests()).toMatchObject([{ status }, { status: 200 }]);
  });
});

describe('an error of the scraping platform', () => {
  test.each([
    {
      title: 'an unknown actor',
      tool: 'call_actor',
      input: { actor: 'nobody/nothing', input: {} },
      says: /Actor nobody\/nothing was not found/,
    },
    {
      title: 'an input that does not match the schema of the actor',
      tool: 'call_actor',
      input: run,
      says: /does not match the input schema.*startUrls/s,
    },
    {
      title: 'an actor that needs the approval of its user',
      tool: 'call_actor',
      input: { actor: 'examples/account-cleaner', input: {} },
      says: /full-permission-actor-not-approved.*https:/,
    },
    { title: 'an unknown run', tool: 'get_actor_run', input: { runId: 'r1' }, says: /'r1' was not found/ },
    {
      title: 'an unknown dataset',
      tool: 'get_actor_output',
      input: { datasetId: 'd1' },
      says: /'d1' was not found/,
    },
  ])('is returned with its text: $title', async ({ tool, input, says }) => {
    const reply = await execute(tool, input);

    expect(reply.status).toBe(424);
    expect(reply.json()).toMatchObject({
      error: {
        code: 'upstream_failed',
        message: expect.stringMatching(says),
        details: { status: 200, body: { isError: true, content: [{ type: 'text' }] } },
      },
    });
  });
});

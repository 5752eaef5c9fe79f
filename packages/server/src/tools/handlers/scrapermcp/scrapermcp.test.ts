import { describe, expect, test } from 'vitest';
import {
  type FakeCall,
  fakeScraper,
  LOG,
  NEWER,
  OLDER,
  sendNothing,
  structured,
} from '../../../../test/support/upstreams/fake-scraper.js';
import { ServiceError } from '../../../errors.js';
import { scrapermcp } from './scrapermcp.js';

const CALL = { actor: 'apify/hello', input: {}, previewOutput: true };
const RUNNING = structured({ runId: 'r1', status: 'RUNNING', datasetId: 'd1' });
const DONE = structured({ runId: 'r1', status: 'SUCCEEDED', datasetId: 'd1', itemCount: 2 });
const ITEMS = structured({ datasetId: 'd1', items: [{ n: 1 }, { n: 2 }], totalItemCount: 2 });

/**
 * Fakes the MCP server's responses about the run of a scraping program that finishes at poll number `last`. The call
 * that starts the run counts as poll 1.
 */
function overAtLook(last: number) {
  let looks = 0;
  return ({ name }: FakeCall) => {
    if (name === 'get-dataset-items' || name === 'get-actor-output') return ITEMS;
    looks += 1;
    return looks >= last ? DONE : RUNNING;
  };
}

const call = (server: ReturnType<typeof fakeScraper>, input: object = {}) =>
  scrapermcp.scrapermcp_call_actor({ ...CALL, ...input }, sendNothing, server.context);

describe('a call that waits', () => {
  test('starts the run once and polls it until it ends', async () => {
    const server = fakeScraper(NEWER, overAtLook(4));

    const data = await call(server);

    expect(server.names()).toEqual([
      'call-actor',
      'get-actor-run',
      'get-actor-run',
      'get-actor-run',
      'get-dataset-items',
    ]);
    expect(server.pauses).toEqual([]);
    expect(data).toMatchObject({ status: 'SUCCEEDED', items: [{ n: 1 }, { n: 2 }] });
  });

  test('polls an older server with growing pauses', async () => {
    const server = fakeScraper(OLDER, overAtLook(7));

    const data = await call(server);

    expect(server.calls[0]).toEqual({
      name: 'call-actor',
      args: { actor: 'apify/hello', input: {}, async: true },
    });
    expect(server.pauses).toEqual([0, 1000, 2000, 4000, 5000, 5000]);
    expect(server.names().at(-1)).toBe('get-actor-output');
    expect(data).toMatchObject({ status: 'SUCCEEDED', items: [{ n: 1 }, { n: 2 }] });
  });

  test.each([
    { title: 'a newer server', tools: NEWER },
    { title: 'an older server', tools: OLDER },
  ])('returns the running run after five minutes on $title', async ({ tools }) => {
    const server = fakeScraper(tools, () => RUNNING);
    const begin = server.context.now().getTime();

    const data = await call(server);

    expect(data).toMatchObject({ runId: 'r1', status: 'RUNNING', note: expect.stringMatching(/continues/) });
    expect(server.context.now().getTime() - begin).toBe(300_000);
    expect(server.names().filter((name) => name === 'call-actor')).toHaveLength(1);
  });

  test.each(['FAILED', 'TIMED-OUT', 'ABORTED'])(
    'returns a run with the status %s without items',
    async (status) => {
      const server = fakeScraper(NEWER, () => structured({ runId: 'r1', status, datasetId: 'd1' }));

      expect(await call(server)).toEqual({ runId: 'r1', status, datasetId: 'd1' });
      expect(server.names()).toEqual(['call-actor']);
    },
  );

  test('reads no items without a preview', async () => {
    const server = fakeScraper(NEWER, overAtLook(1));

    expect(await call(server, { previewOutput: false })).not.toHaveProperty('items');
    expect(server.names()).toEqual(['call-actor']);
  });
});

describe('a call of schema version 2', () => {
  const waiting = (server: ReturnType<typeof fakeScraper>, waitSecs: number) =>
    scrapermcp.scrapermcp_call_actor(
      { actor: 'apify/hello', input: {}, waitSecs },
      sendNothing,
      server.context,
    );

  test('lets a newer server wait once', async () => {
    const server = fakeScraper(NEWER, overAtLook(3));

    expect(await waiting(server, 20)).toMatchObject({ runId: 'r1', status: 'RUNNING' });
    expect(server.calls).toEqual([
      { name: 'call-actor', args: { actor: 'apify/hello', input: {}, waitSecs: 20 } },
    ]);
  });

  test('polls an older server until the run ends, without its items', async () => {
    const server = fakeScraper(OLDER, overAtLook(3));

    expect(await waiting(server, 20)).toMatchObject({ runId: 'r1', status: 'SUCCEEDED', itemCount: 2 });
    expect(server.names()).toEqual(['call-actor', 'get-actor-run', 'get-actor-run']);
    expect(server.calls[0]?.args).toMatchObject({ async: true });
  });

  test.each([
    { waitSecs: 0, pauses: [] },
    { waitSecs: 5, pauses: [0, 1000, 2000, 2000] },
  ])('polls an older server for at most $waitSecs seconds', async ({ waitSecs, pauses }) => {
    const server = fakeScraper(OLDER, () => RUNNING);

    expect(await waiting(server, waitSecs)).toMatchObject({ runId: 'r1', status: 'RUNNING' });
    expect(server.pauses).toEqual(pauses);
  });
});

describe('an asynchronous call', () => {
  test.each([
    { title: 'a newer server', tools: NEWER, own: { waitSecs: 0 } },
    { title: 'an older server', tools: OLDER, own: { async: true } },
  ])('makes one request to $title', async ({ tools, own }) => {
    const server = fakeScraper(tools, () => RUNNING);

    expect(await call(server, { async: true })).toMatchObject({ runId: 'r1', status: 'RUNNING' });
    expect(server.calls).toEqual([{ name: 'call-actor', args: { actor: 'apify/hello', input: {}, ...own } }]);
  });
});

describe('a failure of an actor call', () => {
  const failing = (at: string, code: 'upstream_timeout' | 'upstream_failed') =>
    fakeScraper(NEWER, (request) => {
      if (request.name === at) throw new ServiceError(code, 'It failed.', { status: 502 });
      return at === 'get-actor-run' ? RUNNING : DONE;
    });

  test('is returned without a retry when the start fails', async () => {
    const server = failing('call-actor', 'upstream_failed');

    await expect(call(server)).rejects.toMatchObject({ code: 'upstream_failed', message: 'It failed.' });
    expect(server.calls).toHaveLength(1);
  });

  test('reports that it is unknown whether a run was started', async () => {
    const server = failing('call-actor', 'upstream_timeout');

    await expect(call(server)).rejects.toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringMatching(/unknown whether the run was started.*second run/),
      details: { repeatable: false },
    });
    expect(server.calls).toHaveLength(1);
  });

  test('reports the started run when waiting fails', async () => {
    await expect(call(failing('get-actor-run', 'upstream_failed'))).rejects.toMatchObject({
      message: expect.stringMatching(/^The state of the run r1 .* do not call the actor again/),
      details: { status: 502, repeatable: false, progress: { runId: 'r1' } },
    });
  });

  test('reports the dataset when reading the items fails', async () => {
    await expect(call(failing('get-dataset-items', 'upstream_failed'))).rejects.toMatchObject({
      message: expect.stringMatching(/^The run r1 succeeded.*"d1"/),
      details: { progress: { runId: 'r1', datasetId: 'd1' } },
    });
  });

  test('is reported for a response without a run id', async () => {
    await expect(call(fakeScraper(NEWER, () => structured({})))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
  });
});

describe('a tool of an actor with an MCP server', () => {
  const content = [{ type: 'text', text: 'Clear, 21 °C.' }];
  const listed = (name: string, properties: object, required?: string[]) => ({
    name,
    inputSchema: { properties, ...(required && { required }) },
  });
  const RUNS_ONLY = listed('call-actor', { actor: { description: 'Name of the Actor.' }, waitSecs: {} });
  const PASSES = listed('call-actor', { actor: { description: 'Use "actorName:toolName" for MCP.' } });
  const GENERIC = listed('call-mcp', { actorName: {}, toolName: {}, arguments: {} }, ['actorName']);
  const OWN = listed('ex-dot-amples--weather--get-forecast', { city: {} });
  const OTHER = listed('search', { actor: {}, tool: {}, input: {}, region: {} }, ['region']);
  const input = { city: 'Turin' };

  test.each([
    {
      title: 'call-actor of an earlier server',
      tools: [PASSES],
      called: { name: 'call-actor', args: { actor: 'ex.amples/weather:get-forecast', input } },
    },
    {
      title: 'the tool that accepts an actor and a tool',
      tools: [OTHER, PASSES, GENERIC],
      called: {
        name: 'call-mcp',
        args: { actorName: 'ex.amples/weather', toolName: 'get-forecast', arguments: input },
      },
    },
    {
      title: 'the tool named after the actor',
      tools: [RUNS_ONLY, GENERIC, OWN],
      called: { name: 'ex-dot-amples--weather--get-forecast', args: input },
    },
  ])('is called through $title', async ({ tools, called }) => {
    const server = fakeScraper(tools, () => ({ content }));

    const data = await call(server, { actor: 'ex.amples/weather:get-forecast', input });

    expect(server.calls).toEqual([called]);
    expect(data).toEqual({ runId: 'mcp-passthrough', text: 'Clear, 21 °C.', content });
  });

  test('is not called when no tool of the server supports it', async () => {
    const server = fakeScraper([RUNS_ONLY, OTHER], () => ({ content }));

    await expect(call(server, { actor: 'examples/weather:get-forecast' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/has no tool.*"get-forecast".*nothing was called/),
    });
    expect(server.calls).toEqual([]);
  });
});

test('the response of an actor that is an MCP server is returned unchanged', async () => {
  const content = [{ type: 'text', text: 'Clear, 21 °C.' }, { type: 'image' }];
  const server = fakeScraper(NEWER, () => ({ structuredContent: { runId: 'mcp-passthrough' }, content }));

  const data = await call(server, { actor: 'examples/weather:get-forecast' });

  expect(data).toEqual({ runId: 'mcp-passthrough', text: 'Clear, 21 °C.', content });
  expect(server.calls).toHaveLength(1);
});

test('a run is read from the text of a response without structured content', async () => {
  const content = [{ type: 'text', text: '{"runId":"r1","status":"FAILED"}' }];

  expect(await call(fakeScraper(NEWER, () => ({ content })))).toEqual({ runId: 'r1', status: 'FAILED' });
});

describe('the web browser tool', () => {
  const input = { query: 'maps', maxResults: 7, outputFormats: ['text' as const] };

  test.each([
    {
      title: 'the tool of its own',
      tools: NEWER,
      first: 'apify--rag-web-browser',
      output: 'get-dataset-items',
    },
    { title: 'a call of the actor', tools: OLDER, first: 'call-actor', output: 'get-actor-output' },
  ])('calls $title and returns all results', async ({ tools, first, output }) => {
    const server = fakeScraper(tools, overAtLook(2));

    await scrapermcp.scrapermcp_rag_web_browser(input, sendNothing, server.context);

    expect(server.names()).toEqual([first, 'get-actor-run', output]);
    expect(server.calls.at(-1)?.args).toMatchObject({ datasetId: 'd1', limit: 7, offset: 0 });
  });
});

describe('the log of a run', () => {
  const readLog = async (log: string) => {
    const server = fakeScraper([...NEWER, LOG], () => ({ content: [], structuredContent: { log } }));
    const input = { runId: 'r1', lines: 50, from: 'end' as const };
    return scrapermcp.scrapermcp_get_run_log(input, sendNothing, server.context);
  };
  const TOKEN = 'apify_api_AbCdEf0123456789';

  test.each([
    { line: `Token ${TOKEN}.`, without: 'Token [removed].' },
    {
      line: `https://api.apify.com/?token=${TOKEN}&b=2`,
      without: 'https://api.apify.com/?token=[removed]&b=2',
    },
    { line: 'GET /v2/me?token=oldTokenForm', without: 'GET /v2/me?token=[removed]' },
    { line: 'authorization: Bearer abc.def-1', without: 'authorization: Bearer [removed]' },
    {
      line: 'http://groups-X,session-1:pass:word@proxy',
      without: 'http://groups-X,session-1:[removed]@proxy',
    },
    { line: '{"APIFY_PROXY_PASSWORD": "abc123"}', without: '{"APIFY_PROXY_PASSWORD": "[removed]"}' },
    { line: 'APIFY_TOKEN=abc123 APIFY_IS_AT_HOME=1', without: 'APIFY_TOKEN=[removed] APIFY_IS_AT_HOME=1' },
    { line: 'import apify_client_helpers', without: 'import apify_client_helpers' },
    { line: 'https://example.com:80/a@b', without: 'https://example.com:80/a@b' },
  ])('contains "$line" without secrets', async ({ line, without }) => {
    expect(await readLog(`${line}\nlast`)).toEqual({ runId: 'r1', log: `${without}\nlast` });
  });

  test('contains no part of a secret at a truncated line', async () => {
    const start = 'x'.repeat(1995);

    expect(await readLog(`${start} ${TOKEN}`)).toMatchObject({ log: `${start} [rem…` });
  });

  test('contains at most 2000 characters per line with a note', async () => {
    const log = `short\n${'x'.repeat(5000)}`;

    expect(await readLog(log)).toEqual({
      runId: 'r1',
      log: `short\n${'x'.repeat(2000)}…`,
      note: expect.stringMatching(/2000 characters/),
    });
  });
});

describe('items above the size limit', () => {
  const output = (items: readonly unknown[], input: object = {}) => {
    const server = fakeScraper(NEWER, () => structured({ datasetId: 'd1', items, itemCount: items.length }));
    const page = { datasetId: 'd1', limit: 100, offset: 0, ...input };
    return scrapermcp.scrapermcp_get_actor_output(page, sendNothing, server.context);
  };
  const item = (length: number) => ({ text: 'x'.repeat(length) });

  test('are truncated with the next offset', async () => {
    const data = await output([item(400_000), item(400_000), item(400_000)], { offset: 20 });

    expect(data).toMatchObject({ itemCount: 2, items: [{}, {}], note: expect.stringMatching(/offset 22\b/) });
  });

  test('are omitted with a note when the first item is too large', async () => {
    expect(await output([item(2_000_000)])).toMatchObject({
      itemCount: 0,
      items: [],
      note: expect.stringMatching(/first item is longer.*fields/),
    });
  });

  test('have no note when all fit', async () => {
    expect(await output([item(1), item(2)])).not.toHaveProperty('note');
  });
});

describe('the search for actors', () => {
  const search = async (input: { limit: number; offset: number }, { total = 100, tools = NEWER } = {}) => {
    const server = fakeScraper(tools, ({ args }) => {
      const { limit, offset } = args as { limit: number; offset: number };
      const length = Math.max(0, Math.min(limit, total - offset));
      return structured({ actors: Array.from({ length }, (_, index) => offset + index), count: length });
    });
    const data = await scrapermcp.scrapermcp_search_actors(input, sendNothing, server.context);
    return { data, pages: server.calls.map(({ args }) => [args['offset'], args['limit']]) };
  };

  test.each([
    { title: 'one page', limit: 10, pages: [[3, 10]] },
    {
      title: 'pages of ten',
      limit: 25,
      pages: [
        [3, 10],
        [13, 10],
        [23, 5],
      ],
    },
    { title: 'one page of an older server', limit: 100, tools: OLDER, pages: [[3, 100]] },
  ])('requests $title', async ({ limit, tools = NEWER, pages }) => {
    const result = await search({ limit, offset: 3 }, { total: 200, tools });

    expect(result.pages).toEqual(pages);
    expect(result.data).toEqual({
      actors: Array.from({ length: limit }, (_, index) => 3 + index),
      count: limit,
    });
  });

  test('ends at the last actor', async () => {
    const { data, pages } = await search({ limit: 50, offset: 0 }, { total: 12 });

    expect(pages).toEqual([
      [0, 10],
      [10, 10],
    ]);
    expect(data).toMatchObject({ count: 12 });
  });
});

test('a long readme is truncated with a note', async () => {
  const server = fakeScraper(NEWER, () => structured({ actorInfo: {}, readme: 'x'.repeat(1_500_000) }));

  const data = await scrapermcp.scrapermcp_fetch_actor_details({ actor: 'a' }, sendNothing, server.context);

  expect(data).toMatchObject({ readme: `${'x'.repeat(1_000_000)}…`, note: expect.stringMatching(/1500000/) });
});

import { type Scrapermcp, scrapermcp } from '@svc/scrapermcp';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { signInOperator } from '../../support/service/operator.js';
import { connectAccount, type Service, startService } from '../../support/service/service.js';
import { recordTools, type ToolRecord } from '../../support/tools/record-tools.js';

const CRAWLER = 'apify/website-content-crawler';
const crawl = (maxCrawlPages: number) => ({
  actor: CRAWLER,
  input: { startUrls: [{ url: 'https://example.com' }], maxCrawlPages },
});

describe.each([
  { toolSet: 'newest' as const, title: 'the newest server', browserTool: 'apify--rag-web-browser' },
  { toolSet: 'new' as const, title: 'the newer server', browserTool: 'apify--rag-web-browser' },
  { toolSet: 'old' as const, title: 'the older server', browserTool: 'call-actor' },
])('the tools of $title', ({ toolSet, browserTool }) => {
  let service: Service;
  let record: ToolRecord;
  let tools: Scrapermcp;

  beforeAll(async () => {
    service = await startService({ connectors: ['scrapermcp'] });
    await service.sandbox.dials('scrapermcp', { toolSet });
    record = recordTools(service, 'scrapermcp');
    tools = scrapermcp(record, await connectAccount(service, 'scrapermcp'));
  });

  afterAll(() => service.stop());

  beforeEach(() => service.sandbox.clearRequests());

  /** Names of the MCP tools that were called, in order. */
  const called = async () =>
    (await service.sandbox.requests('scrapermcp')).flatMap(({ body }) => {
      const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } };
      return method === 'tools/call' ? [params?.name] : [];
    });

  test('a call waits for its run, starts it once, and returns the first items', async () => {
    const { data } = await tools.callActor(crawl(3));

    expect(data).toMatchObject({
      status: 'SUCCEEDED',
      actorName: CRAWLER,
      datasetId: expect.any(String),
      itemCount: 3,
      items: [{ url: 'https://example.com/1' }, {}, {}],
    });
    expect((await called()).filter((name) => name === 'call-actor')).toHaveLength(1);
  });

  test('both schema versions of a call work side by side', async () => {
    const older = await tools.callActor(crawl(1));
    const newer = await tools.callActor({ ...crawl(2), waitSecs: 45 }, { schemaVersion: '2.0.0' });

    expect(older).toMatchObject({ schemaVersion: '1.0.0', data: { status: 'SUCCEEDED', items: [{}] } });
    expect(newer).toMatchObject({ schemaVersion: '2.0.0', toolVersion: '2.0.0' });
    expect(newer.data).toMatchObject({ status: 'SUCCEEDED', itemCount: 2 });
    expect(newer.data).not.toHaveProperty('items');
  });

  test('neither schema version accepts the inputs of the other', async () => {
    // @ts-expect-error: only schema version 2.0.0 has the input waitSecs
    const older = expect(tools.callActor({ ...crawl(1), waitSecs: 1 }));
    await older.rejects.toMatchObject({ code: 'invalid_input' });
    // @ts-expect-error: only schema version 1.0.0 has the input async
    const newer = expect(tools.callActor({ ...crawl(1), async: true }, { schemaVersion: '2.0.0' }));
    await newer.rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('a call without a preview returns only the dataset', async () => {
    const { data } = await tools.callActor({ ...crawl(2), previewOutput: false });

    expect(data).toMatchObject({ status: 'SUCCEEDED', itemCount: 2 });
    expect(data).not.toHaveProperty('items');
  });

  test('an asynchronous call returns at once, and its run can be polled until the output', async () => {
    const { data: started } = await tools.callActor({ ...crawl(4), async: true });
    expect(await called()).toEqual(['call-actor']);

    await service.sandbox.clock.advance(60_000);
    const { data: run } = await tools.getActorRun({ runId: started.runId });
    const { data: output } = await tools.getActorOutput({
      datasetId: `${run.datasetId}`,
      fields: 'url,metadata.title',
      limit: 2,
      offset: 1,
    });

    expect(started.status).toMatch(/^(READY|RUNNING)$/);
    expect(run).toMatchObject({
      runId: started.runId,
      status: 'SUCCEEDED',
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      stats: { runTimeSecs: expect.any(Number) },
      datasetId: expect.any(String),
      keyValueStoreId: expect.any(String),
      requestQueueId: expect.any(String),
    });
    expect(output).toMatchObject({
      items: [
        { url: 'https://example.com/2', 'metadata.title': 'Page 2' },
        { url: 'https://example.com/3', 'metadata.title': 'Page 3' },
      ],
      itemCount: 2,
      totalItemCount: 4,
    });
  });

  test('output is paged by 100 items and truncated when it is too large', async () => {
    const { data: run } = await tools.callActor({ ...crawl(101), async: true });
    await service.sandbox.clock.advance(600_000);
    const { data: done } = await tools.getActorRun({ runId: run.runId });
    const datasetId = `${done.datasetId}`;
    const { data: slim } = await tools.getActorOutput({ datasetId, fields: 'url' });
    const { data: fat } = await tools.getActorOutput({ datasetId });

    expect(slim.items).toHaveLength(100);
    expect(slim).not.toHaveProperty('note');
    expect(fat.items?.length).toBeLessThan(100);
    expect(fat).toMatchObject({
      itemCount: fat.items?.length,
      totalItemCount: 101,
      note: expect.stringContaining(`offset ${fat.items?.length}`),
    });
  });

  test.each([
    { title: 'at once', gracefully: false, status: 'ABORTED' },
    { title: 'within its grace period', gracefully: true, status: 'ABORTING' },
  ])('a run can be stopped $title, and a finished run stays finished', async ({ gracefully, status }) => {
    const { data: started } = await tools.callActor({ ...crawl(500), async: true });
    const { runId } = started;
    const { data: stopped } = await tools.abortRun({ runId, gracefully });
    await service.sandbox.clock.advance(30_000);
    const { data: again } = await tools.abortRun({ runId });
    const { data: done } = await tools.callActor(crawl(1));

    expect(stopped).toMatchObject({ runId, status });
    expect(again).toMatchObject({ runId, status: 'ABORTED' });
    expect(await tools.abortRun({ runId: done.runId })).toMatchObject({ data: { status: 'SUCCEEDED' } });
  });

  test('the log of a run contains its last or first lines without the secrets of the account', async () => {
    const { data: run } = await tools.callActor({ ...crawl(60), async: true });
    await service.sandbox.clock.advance(600_000);
    const log = async (input: object) => (await tools.getRunLog({ runId: run.runId, ...input })).data.log;

    const [last, many, first] = [
      await log({ lines: 2 }),
      await log({ lines: 500 }),
      await log({ lines: 3, from: 'start' }),
    ];
    expect(last).toMatch(/^\S+ INFO {2}Stored item 60\.\n\S+ ACTOR: The run is SUCCEEDED\.$/);
    expect(many.split('\n')).toHaveLength(64);
    expect(first).toMatch(/begins\.\n\S+ DEBUG Proxy: http:\/\/auto:\[removed\]@proxy\.apify\.com:8000$/);
    expect(many).not.toContain('sandboxPassword');
  });

  test('the log and the abort of an unknown run are errors', async () => {
    const unknown = { runId: 'noSuchRun' };

    await expect(tools.getRunLog(unknown)).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(tools.getRunLog({ ...unknown, from: 'start' })).rejects.toMatchObject({
      details: { status: 404, advice: expect.stringMatching(/run or dataset does not exist/) },
    });
    await expect(tools.abortRun(unknown)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test('a failed run is reported by its status', async () => {
    const { data } = await tools.callActor({ actor: 'examples/blocked-website-scraper', input: {} });

    expect(data.status).toBe('FAILED');
    expect(data).not.toHaveProperty('items');
  });

  test('a tool of an actor returns the response of the actor', async () => {
    const { data } = await tools.callActor({
      actor: 'examples/weather-mcp-server:get-forecast',
      input: { city: 'Turin' },
    });

    expect(data).toMatchObject({
      text: 'The forecast for Turin: clear, 21 °C.',
      content: [{ type: 'text' }],
    });
  });

  test('the web browser returns every result in the requested formats', async () => {
    const { data } = await tools.ragWebBrowser({
      query: 'looms',
      maxResults: 12,
      outputFormats: ['text', 'html'],
    });

    expect(data.items).toHaveLength(12);
    expect(data.items?.[11]).toMatchObject({ query: 'looms', html: '<h1>looms, result 12</h1>' });
    expect(data.items?.[0]).not.toHaveProperty('markdown');
    expect((await called())[0]).toBe(browserTool);
  });

  test('a search returns up to 100 actors without gaps or duplicates', async () => {
    const { data: all } = await tools.searchActors({ limit: 100 });
    const { data: some } = await tools.searchActors({ keywords: 'scraper', limit: 25, offset: 2 });
    const names = all.actors?.map(({ fullName }) => fullName) ?? [];

    expect(all.count).toBe(names.length);
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names).size).toBe(names.length);
    expect(some.actors).toHaveLength(25);
    expect(JSON.stringify(all)).not.toMatch(/fetch-actor-details/);
  });

  test('details contain everything by default, and only the requested parts with output', async () => {
    const { data: all } = await tools.fetchActorDetails({ actor: CRAWLER });
    const { data: schema } = await tools.fetchActorDetails({ actor: CRAWLER, output: { inputSchema: true } });

    expect(Object.keys(all).sort()).toEqual(['actorInfo', 'inputSchema', 'outputSchema', 'readme']);
    expect(schema.inputSchema).toMatchObject({ required: ['startUrls'] });
    expect(schema).not.toHaveProperty('readme');
  });

  test('the documentation can be searched by its source and read', async () => {
    const { data: search } = await tools.searchDocs({ query: 'storages', docSource: 'crawler-py' });
    const { data: platform } = await tools.searchDocs({ query: 'dataset' });
    const { data: page } = await tools.fetchDocs({ url: `${search.results?.[0]?.url}` });

    expect(search).toEqual({ results: [expect.objectContaining({ url: page.url })] });
    expect(page.content).toContain('Crawlee for Python');
    expect(platform.results?.[0]?.url).toMatch(/^https:\/\/docs\.apify\.com\//);
  });

  test('called every tool of the catalogue above', () => {
    process.stdout.write(`${record.coverage()} (${toolSet})\n`);

    expect(record.called()).toEqual(record.names);
  });
});

test('a changed tool list of the server writes one audit event', async () => {
  const service = await startService({ connectors: ['scrapermcp'] });
  onTestFinished(() => service.stop());
  const tools = scrapermcp(recordTools(service, 'scrapermcp'), await connectAccount(service, 'scrapermcp'));
  const callTool = async () =>
    (await tools.callActor({ actor: 'examples/weather-mcp-server:get-forecast', input: { city: 'Turin' } }))
      .data;
  const { password } = await service.app.operators.create('ada', 'owner');
  const operator = await signInOperator({ url: service.url, name: 'ada', password });

  await callTool();
  await service.sandbox.dials('scrapermcp', { toolSet: 'newest' });
  await expect(callTool()).resolves.toMatchObject({ text: 'The forecast for Turin: clear, 21 °C.' });
  await callTool();

  const changes = await operator.call('GET', '/audit-events?action=connection.tools_changed');
  expect(changes.json<{ items: unknown[] }>().items).toMatchObject([
    {
      object: expect.stringMatching(/^conn_/),
      reason: 'added: call-actor-mcp-tool; changed: call-actor',
    },
  ]);
});

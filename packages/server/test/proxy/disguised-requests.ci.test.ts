import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RawReply, type RawRequest, sendRaw } from '../support/requests/send-raw.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const CONNECTORS = ['calendar', 'network', 'scrapermcp', 'video'];

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: CONNECTORS });
  for (const connector of CONNECTORS) await connectAccount(service, connector, 'ada');
  owner = await signIn(service);
});
afterAll(() => service.stop());
beforeEach(() => service.sandbox.clearRequests());

const EVENTS = '/calendar/ada/calendar/v3/calendars/primary/events';
const BATCH = '/calendar/ada/batch/calendar/v3';
const OVERRIDE = 'X-HTTP-Method-Override';
const JSON_TYPE = ['Content-Type', 'application/json'];
const DELETING =
  '--b\nContent-Type: application/http\n\nDELETE /calendar/v3/calendars/primary/events/x\n\n--b--\n';

async function issue(limits: object): Promise<string> {
  const body = { identifier: 'ada', expiresIn: 600, ...limits };
  return (await owner.call('POST', '/v1/agent-tokens', { body })).json<{ token: string }>().token;
}

function send(
  token: string,
  path: string,
  { headers = [], ...rest }: Partial<RawRequest> = {},
): Promise<RawReply> {
  const { body } = rest;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const length = isWhole
    ? ['Content-Length', String(Buffer.byteLength(body))]
    : ['Transfer-Encoding', 'chunked'];
  const given = ['Authorization', `Bearer ${token}`, ...length, ...headers];
  return sendRaw(`${service.url}/v1/proxy${path}`, { method: 'POST', ...rest, headers: given });
}

const codeOf = ({ text }: RawReply) => JSON.parse(text).error.code;

/** Checks that the service refused the request and sent nothing to the upstream. */
async function expectStopped(reply: RawReply, code: string): Promise<void> {
  expect([reply.status, codeOf(reply)], reply.text).toEqual([code === 'invalid_request' ? 400 : 403, code]);
  expect(await service.sandbox.requests()).toEqual([]);
}

describe('T3: a method override header', () => {
  const headers = (...given: string[]) => [...JSON_TYPE, ...given];
  const body = '{"summary":"x"}';

  test.each([
    { title: 'is named by Connection', given: [OVERRIDE, 'GET', 'Connection', `close, ${OVERRIDE}`] },
    {
      title: 'is named by one Connection of two',
      given: ['connection', 'x-http-method-override', OVERRIDE, 'GET', 'Connection', 'close'],
    },
    { title: 'is in lower case', given: [OVERRIDE, 'get'] },
    { title: 'follows a space that HTTP does not allow', given: [OVERRIDE, '\u00a0GET'] },
    { title: 'is repeated', given: [OVERRIDE, 'GET', OVERRIDE, 'POST'] },
    { title: 'is empty', given: [OVERRIDE, ''] },
  ])('is refused when it $title', async ({ given }) => {
    const limits = [
      { readOnly: true },
      { proxy: [{ methods: ['GET'], path: '/' }] },
      { approve: 'destructive' },
    ];
    const tokens = [owner.accessToken, ...(await Promise.all(limits.map(issue)))];
    for (const token of tokens)
      await expectStopped(await send(token, EVENTS, { headers: headers(...given), body }), 'invalid_request');
  });

  test.each([
    { readOnly: true },
    { proxy: [{ methods: ['GET'], path: '/' }] },
    { proxy: [{ methods: ['POST'], path: '/' }] },
    { approve: 'destructive' },
  ])('needs a token that also allows the method of the request line: %j', async (limits) => {
    const token = await issue(limits);
    const form = { headers: [OVERRIDE, 'GET', 'Content-Type', 'application/x-www-form-urlencoded'] };
    await expectStopped(await send(token, EVENTS, { ...form, body: 'maxResults=1' }), 'not_permitted');
  });

  test('is not forwarded when its name has underscores', async () => {
    const given = headers('X_HTTP_Method_Override', 'DELETE', 'X_Forwarded_For', '10.0.0.1');
    const start = { date: '2026-12-01' };
    const own = JSON.stringify({ summary: 'x', start, end: { date: '2026-12-02' } });
    expect((await send(owner.accessToken, EVENTS, { headers: given, body: own })).status).toBe(200);
    const [sent] = await service.sandbox.requests();
    expect(Object.keys(sent?.headers ?? {}).filter((name) => name.includes('_'))).toEqual([]);
  });
});

describe('T3: a batch does not count as a read, whatever its method override says', () => {
  const headers = [OVERRIDE, 'GET', 'Content-Type', 'multipart/mixed; boundary=b'];
  const setPolicy = (approve: object) =>
    owner.call('PATCH', '/v1/connections/calendar', { body: { approve } });
  afterEach(() => setPolicy({ default: 'never', tools: {} }));

  test.each([{ readOnly: true }, { approve: 'destructive' }])(
    'a token with %j refuses it',
    async (limits) => {
      await expectStopped(
        await send(await issue(limits), BATCH, { headers, body: DELETING }),
        'not_permitted',
      );
    },
  );

  test('H2: an approval policy refuses it', async () => {
    await setPolicy({ default: 'destructive', tools: {} });
    await expectStopped(await send(owner.accessToken, BATCH, { headers, body: DELETING }), 'forbidden');
  });
});

describe('T3: a method override in the query is refused where the upstream honours it', () => {
  const scraper = '/scrapermcp/ada/v2/datasets/abc';
  const list = '/calendar/ada/calendar/v3/users/me/calendarList';

  test.each([
    { method: 'GET', path: `${scraper}?method=DELETE` },
    { method: 'GET', path: `${scraper}?limit=1&%6Dethod=POST` },
    { method: 'GET', path: `${scraper}?method[]=DELETE` },
    { method: 'GET', path: `${scraper}?%5Bmethod%5D=DELETE` },
    { method: 'GET', path: `${scraper}?%6dethod[%ff]=DELETE` },
    { method: 'GET', path: `${scraper}?limit=1;method=DELETE` },
    { method: 'GET', path: `${scraper}??method=DELETE` },
    { method: 'GET', path: `${scraper}?+METHOD=DELETE` },
    { method: 'GET', path: `${scraper}?method` },
    { method: 'HEAD', path: `${scraper}?method=DELETE` },
    { method: 'POST', path: '/network/ada/v2/acts/a/runs?method=DELETE' },
    { method: 'GET', path: `${list}?$httpMethod=DELETE` },
    { method: 'GET', path: `${list}?%24httpHeaders=X-HTTP-Method-Override%3ADELETE` },
    { method: 'GET', path: '/video/ada/youtube/v3/channels?part=id&mine=true&$httpMethod=DELETE' },
    { method: 'GET', path: '/video/ada/v2/reports?$httpMethod=DELETE' },
  ])('$method $path', async ({ method, path }) => {
    const limits = { proxy: [{ methods: [method], path: '/' }] };
    const tokens = [owner.accessToken, await issue(limits)];
    if (method !== 'POST') tokens.push(await issue({ readOnly: true }));
    for (const token of tokens) {
      const reply = await send(token, path, { method });
      expect(reply.status, reply.text).toBe(400);
      if (method !== 'HEAD') expect(codeOf(reply)).toBe('invalid_request');
      expect(await service.sandbox.requests()).toEqual([]);
    }
  });

  test('a query field with another name or the same text in a value is forwarded', async () => {
    for (const query of ['fields=method', 'methods=DELETE', 'clean=true&desc=%26method=DELETE']) {
      const { status } = await send(await issue({ readOnly: true }), `${scraper}?${query}`, {
        method: 'GET',
      });
      expect(status, query).toBe(404);
    }
  });
});

describe('T3: a token with maxCalls sends an MCP server one message at a time', () => {
  const MCP = '/scrapermcp/ada/';
  const ACCEPT = ['Accept', 'application/json, text/event-stream', ...JSON_TYPE];
  const rpc = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
  const calls = [1, 2, 3, 4, 5].map((id) => rpc(id, 'tools/call', { name: 'search-actors', arguments: {} }));
  const many = JSON.stringify(calls);
  const initialize = JSON.stringify(
    rpc(0, 'initialize', {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
  );
  const large = `[${' '.repeat(2 ** 21)}${many.slice(1)}`;
  const chunks = (...given: string[]) => Readable.from(given.map((chunk) => Buffer.from(chunk)));

  async function begin(limits: object) {
    const token = await issue(limits);
    const begun = await send(token, MCP, { headers: ACCEPT, body: initialize });
    expect(begun.status, begun.text).toBe(200);
    await service.sandbox.clearRequests();
    const headers = [...ACCEPT, 'Mcp-Session-Id', String(begun.headers['mcp-session-id'])];
    return (body: RawRequest['body'], { path = MCP, more = [] as string[] } = {}) =>
      send(token, path, { headers: [...headers, ...more], ...(body !== undefined && { body }) });
  }

  test.each([
    { title: 'a batch', body: () => many },
    { title: 'a batch after spaces', body: () => ` \r\n\t${many}` },
    { title: 'a batch after a byte order mark', body: () => `\ufeff${many}` },
    { title: 'a batch in UTF-16', body: () => Buffer.from(many, 'utf16le') },
    { title: 'a batch in UTF-7', body: () => `+AFs-${many.slice(1)}` },
    { title: 'a batch with gzip', body: () => gzipSync(many), more: ['Content-Encoding', 'gzip'] },
    { title: 'a batch in chunks', body: () => chunks(' ', '[', many.slice(1)) },
    { title: 'a batch that is too large to buffer', body: () => large },
    { title: 'a batch with svc-links: keep', body: () => many, more: ['svc-links', 'keep'] },
    { title: 'a batch to another path of the server', body: () => many, path: '/scrapermcp/ada/mcp' },
    { title: 'endless spaces', body: () => `${' '.repeat(300)}{}` },
  ])('refuses $title', async ({ body, ...options }) => {
    const sendBatch = await begin({ maxCalls: 9 });
    const reply = await sendBatch(body(), options);
    await expectStopped(reply, 'not_permitted');
    expect(JSON.parse(reply.text).error.details.limit).toBe('maxCalls');
  });

  test.each([
    { title: 'buffered', body: (message: string) => message },
    { title: 'in chunks', body: (message: string) => chunks(message.slice(0, 9), message.slice(9)) },
    { title: 'in one chunk', body: (message: string) => chunks(message) },
    { title: 'after spaces', body: (message: string) => `\ufeff \n${message}` },
    {
      title: 'too large to buffer',
      body: (message: string) => `${message.slice(0, -1)}${' '.repeat(2 ** 21)}}`,
    },
  ])('forwards a single message unchanged, $title', async ({ body }) => {
    const listing = JSON.stringify(rpc(1, 'tools/list', {}));
    for (const more of [[], ['svc-links', 'keep']]) {
      const sendBatch = await begin({ maxCalls: 2 });
      const reply = await sendBatch(body(listing), { more });
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('search-actors')]);
      await expectLeft(await sendBatch(listing));
    }
  });

  const expectLeft = async (reply: RawReply) =>
    expect([reply.status, codeOf(reply)]).toEqual([403, 'not_permitted']);

  test('other tokens may send batches, except those limited to tools or reads', async () => {
    const sendBatch = await begin({});
    expect((await sendBatch(many)).text.match(/"id":/g)?.length).toBeGreaterThanOrEqual(5);
    await service.sandbox.clearRequests();
    for (const limits of [
      { tools: ['scrapermcp_search_actors'] },
      { readOnly: true },
      { approve: 'destructive' },
    ])
      await expectStopped(
        await send(await issue(limits), MCP, { headers: ACCEPT, body: many }),
        'not_permitted',
      );
  });
});

describe('T3: a batch is recognized by its path, and its content type must be unambiguous', () => {
  const MIXED = ['Content-Type', 'multipart/mixed; boundary=b'];
  const LIMITS = [{ maxCalls: 9 }, { readOnly: true }, { proxy: [{ methods: ['POST', 'GET'], path: '/' }] }];
  const inner = `Authorization: Bearer svc_secret`;
  const body = DELETING.replace('events/x\n', `events/x\n${inner}\n`);

  test.each([
    { title: 'two content types', headers: ['Content-Type', 'text/plain', ...MIXED] },
    { title: 'a repeated content type', headers: [...MIXED, 'content-TYPE', 'multipart/mixed; boundary=b'] },
    {
      title: 'two content encodings',
      headers: [...MIXED, 'Content-Encoding', 'identity', 'Content-Encoding', 'gzip'],
    },
  ])('is refused with $title', async ({ headers }) => {
    await expectStopped(await send(owner.accessToken, BATCH, { headers, body }), 'invalid_request');
    for (const limits of LIMITS)
      expect((await send(await issue(limits), BATCH, { headers, body })).status).toBeGreaterThanOrEqual(400);
    expect(await service.sandbox.requests()).toEqual([]);
  });

  test.each([
    { title: 'two content lengths', headers: ['Content-Length', '5'] },
    { title: 'a content length and chunks', headers: ['Transfer-Encoding', 'chunked'] },
  ])('is refused by the HTTP parser with $title', async ({ headers }) => {
    const reply = await send(owner.accessToken, BATCH, { headers: [...MIXED, ...headers], body });
    expect(reply.status).toBe(400);
    expect(await service.sandbox.requests()).toEqual([]);
  });

  test.each([
    { title: 'another content type', headers: ['Content-Type', 'text/plain'] },
    { title: 'no content type', headers: [] },
    {
      title: 'a content type that is a hop-by-hop header',
      headers: [...MIXED, 'Connection', 'Content-Type'],
    },
    {
      title: 'a list of content types',
      headers: ['Content-Type', 'text/plain, multipart/mixed; boundary=b'],
    },
  ])('is still recognized with $title', async ({ headers }) => {
    for (const limits of LIMITS) {
      await expectStopped(await send(await issue(limits), BATCH, { headers, body }), 'not_permitted');
      const given = [...headers, OVERRIDE, 'GET'];
      await expectStopped(await send(await issue(limits), BATCH, { headers: given, body }), 'not_permitted');
    }
    await send(owner.accessToken, BATCH, { headers, body });
    const [sent] = await service.sandbox.requests();
    expect(sent?.path).toBe('/batch/calendar/v3');
    expect(String(sent?.body)).not.toContain('svc_secret');
  });

  test('a request without a body is no batch', async () => {
    const token = await issue({ readOnly: true, maxCalls: 9 });
    const reply = await send(token, BATCH, { method: 'GET', body: '' });
    expect([reply.status, reply.headers['svc-error']]).toEqual([404, undefined]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, signIn } from './application.js';
import { connectAccount, type Service, startService } from './service.js';
import { type RawReply, type RawRequest, sendRaw } from './support/send-raw.js';

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
  const length = typeof body === 'string' ? ['Content-Length', String(Buffer.byteLength(body))] : [];
  const given = ['Authorization', `Bearer ${token}`, ...length, ...headers];
  return sendRaw(`${service.url}/v1/proxy${path}`, { method: 'POST', ...rest, headers: given });
}

const codeOf = ({ text }: RawReply) => JSON.parse(text).error.code;

/** Refused, and nothing was sent. */
async function expectStopped(reply: RawReply, code: string): Promise<void> {
  expect([reply.status, codeOf(reply)], reply.text).toEqual([code === 'invalid_request' ? 400 : 403, code]);
  expect(await service.sandbox.requests()).toEqual([]);
}

describe('T3: a method in a header is the one that the upstream hears, or the request is refused', () => {
  const headers = (...given: string[]) => [...JSON_TYPE, ...given];
  const body = '{"summary":"x"}';

  test.each([
    { title: 'is named by Connection', given: [OVERRIDE, 'GET', 'Connection', `close, ${OVERRIDE}`] },
    {
      title: 'is named by one Connection of two',
      given: ['connection', 'x-http-method-override', OVERRIDE, 'GET', 'Connection', 'close'],
    },
    { title: 'is written small', given: [OVERRIDE, 'get'] },
    { title: 'stands behind a space that no protocol knows', given: [OVERRIDE, '\u00a0GET'] },
    { title: 'stands there twice', given: [OVERRIDE, 'GET', OVERRIDE, 'POST'] },
    { title: 'is empty', given: [OVERRIDE, ''] },
  ])('where it $title', async ({ given }) => {
    const limits = [
      { readOnly: true },
      { proxy: [{ methods: ['GET'], path: '/' }] },
      { approve: 'destructive' },
    ];
    const tokens = [owner.accessToken, ...(await Promise.all(limits.map(issue)))];
    for (const token of tokens)
      await expectStopped(await send(token, EVENTS, { headers: headers(...given), body }), 'invalid_request');
  });

  test('or it goes nowhere, where a server that takes "_" for "-" would read one', async () => {
    const given = headers('X_HTTP_Method_Override', 'DELETE', 'X_Forwarded_For', '10.0.0.1');
    const start = { date: '2026-12-01' };
    const own = JSON.stringify({ summary: 'x', start, end: { date: '2026-12-02' } });
    expect((await send(owner.accessToken, EVENTS, { headers: given, body: own })).status).toBe(200);
    const [sent] = await service.sandbox.requests();
    expect(Object.keys(sent?.headers ?? {}).filter((name) => name.includes('_'))).toEqual([]);
  });
});

describe('T3: a batch reads nothing, whatever its method says', () => {
  const headers = [OVERRIDE, 'GET', 'Content-Type', 'multipart/mixed; boundary=b'];
  const setPolicy = (approve: object) =>
    owner.call('PATCH', '/v1/connections/calendar', { body: { approve } });
  afterEach(() => setPolicy({ default: 'never', tools: {} }));

  test.each([{ readOnly: true }, { approve: 'destructive' }])('for a token with %j', async (limits) => {
    await expectStopped(await send(await issue(limits), BATCH, { headers, body: DELETING }), 'not_permitted');
  });

  test('H2: where the connection asks a person before calls', async () => {
    await setPolicy({ default: 'destructive', tools: {} });
    await expectStopped(await send(owner.accessToken, BATCH, { headers, body: DELETING }), 'forbidden');
  });
});

describe('T3: a method in the query is refused where the upstream hears it', () => {
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

  test('and one of another name, or in a value, goes where it goes', async () => {
    for (const query of ['fields=method', 'methods=DELETE', 'clean=true&desc=%26method=DELETE']) {
      const { status } = await send(await issue({ readOnly: true }), `${scraper}?${query}`, {
        method: 'GET',
      });
      expect(status, query).toBe(404);
    }
  });
});

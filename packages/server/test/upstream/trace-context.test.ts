import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../src/log/log.js';
import { mintToken, runAgent } from '../support/mcp/agent.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const VERSION = '0.0.0';
const TOOL = 'calendar_list_calendars';
const UPSTREAM_PATH = 'calendar/v3/users/me/calendarList';

interface Line {
  readonly msg: string;
  readonly requestId: string;
  readonly traceId?: string;
  readonly serviceVersion?: string;
}

let service: Service;
let application: Application;
let operator: SignedInOperator;
let agentToken: string;
let accountToken: string;
let accountId: string;
const lines: Line[] = [];
const log = createLog('info', {
  access: true,
  serviceVersion: VERSION,
  destination: {
    write: (text) => {
      for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line));
    },
    flushSync: () => {},
  },
});

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'], log });
  const { url } = service;
  application = await signIn(service);
  accountId = (await connectAccount(service, 'calendar')).id;
  const limits = { identifier: 'user_42', connections: ['calendar'] };
  const issued = await application.call('POST', '/v1/account-tokens', { body: limits });
  accountToken = issued.json<{ readonly token: string }>().token;
  agentToken = await mintToken(service);
  operator = await signInOperator({ url, ...(await service.app.operators.create('ada', 'owner')) });
});
afterAll(() => service.stop());
beforeEach(() => service.sandbox.clearRequests());

/** Returns a new traceparent. A random trace id keeps the executions of the tests apart. */
function newTrace() {
  const traceId = crypto.randomUUID().replaceAll('-', '');
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
}

type Headers = Readonly<Record<string, string>>;
type Send = (headers: Headers) => Promise<Pick<Reply, 'status' | 'headers'>>;

const body = () => ({ connectedAccountId: accountId, toolInput: {} });

const CALLS: readonly { readonly title: string; readonly send: Send }[] = [
  {
    title: 'a tool call',
    send: (headers) => application.call('POST', `/v1/tools/${TOOL}/execute`, { body: body(), headers }),
  },
  {
    title: 'a proxied request',
    send: (headers) => application.call('GET', `/v1/proxy/calendar/user_42/${UPSTREAM_PATH}`, { headers }),
  },
  {
    title: 'a tool call with another spelling of the path',
    send: (headers) => application.call('POST', `/v1/t%6fols/${TOOL}/execute`, { body: body(), headers }),
  },
  {
    title: 'a request to the proxy port',
    send: (headers) =>
      fetchReply(`${service.proxyUrl}/${UPSTREAM_PATH}`, {
        headers: { ...headers, authorization: `Bearer ${accountToken}` },
      }),
  },
  {
    title: 'a tool call of an agent',
    send: (headers) =>
      runAgent(
        service,
        { method: 'tools/call', params: { name: TOOL, arguments: {} } },
        { token: agentToken, path: '/mcp/calendar', headers },
      ),
  },
  {
    title: 'a tool call of an operator',
    send: (headers) =>
      operator.call('POST', `/applications/${service.clientId}/tools/${TOOL}/execute`, {
        body: body(),
        headers,
      }),
  },
];

const executionsOf = async (traceId: string) =>
  (await application.call('GET', `/v1/executions?traceId=${traceId}`)).json<{
    readonly items: readonly { readonly id: string }[];
  }>().items;

async function lineOf({ headers }: Pick<Reply, 'headers'>): Promise<Line> {
  const requestId = headers.get('svc-request-id');
  const find = () => {
    log.flush();
    return lines.find((line) => line.requestId === requestId && line.msg === 'request');
  };
  await expect.poll(find).toBeDefined();
  return find() as Line;
}

test.each(CALLS)(
  'the trace and the version stand in log, execution and response of $title',
  async ({ send }) => {
    const { traceId, traceparent } = newTrace();
    const reply = await send({ traceparent });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('traceparent')).toBe(traceparent);
    expect(reply.headers.get('svc-version')).toBe(VERSION);
    expect(await lineOf(reply)).toMatchObject({ traceId, serviceVersion: VERSION });
    const found = await executionsOf(traceId);
    expect(found).toMatchObject([{ traceId, serviceVersion: VERSION }]);
    const details = await application.call('GET', `/v1/executions/${found[0]?.id}`);
    expect(details.json()).toMatchObject({ traceId, serviceVersion: VERSION });
  },
);

test.each(CALLS)('P5: the upstream does not get the trace of $title', async ({ send }) => {
  const { traceId, traceparent } = newTrace();
  const sent = { traceparent, tracestate: `vendor=${traceId}`, baggage: `trace=${traceId}` };
  expect((await send(sent)).status).toBe(200);
  const requests = await service.sandbox.requests('calendar');
  expect(requests.length).toBeGreaterThan(0);
  expect(JSON.stringify(requests)).not.toContain(traceId);
});

test.each(CALLS)('an invalid traceparent does not change $title', async ({ send }) => {
  const { traceId } = newTrace();
  const reply = await send({ traceparent: `00-${traceId}-0000000000000000-01` });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('traceparent')).toBeNull();
  expect(await lineOf(reply)).not.toHaveProperty('traceId');
  expect(await executionsOf(traceId)).toEqual([]);
});

test('a call without a traceparent gets none', async () => {
  const reply = await application.call('POST', `/v1/tools/${TOOL}/execute`, { body: body() });
  expect(reply.headers.get('traceparent')).toBeNull();
  expect(await lineOf(reply)).not.toHaveProperty('traceId');
  const { items } = (await application.call('GET', '/v1/executions?pageSize=1')).json<{
    readonly items: readonly object[];
  }>();
  expect(items[0]).not.toHaveProperty('traceId');
  expect(items[0]).toHaveProperty('serviceVersion', VERSION);
});

test('the trace stands in log and response of other requests and of errors', async () => {
  const { traceId, traceparent } = newTrace();
  const headers = { traceparent };
  for (const [method, path, status] of [
    ['GET', '/v1/connections', 200],
    ['GET', '/v1/unknown', 404],
    ['POST', '/v1/tools/unknown/execute', 400],
    ['GET', '/v1/proxy/unknown/ada/x', 404],
  ] as const) {
    const reply = await application.call(method, path, { headers });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('traceparent')).toBe(traceparent);
    expect(await lineOf(reply)).toMatchObject({ traceId, route: expect.any(String) });
  }
});

test('applications find only their own executions by a trace', async () => {
  const { traceId, traceparent } = newTrace();
  await application.call('POST', `/v1/tools/${TOOL}/execute`, { body: body(), headers: { traceparent } });
  expect(await executionsOf(traceId)).toHaveLength(1);
  const { id, clientSecret } = await service.app.applications.create('other');
  const other = await signIn({ url: service.url, clientId: id, clientSecret });
  expect((await other.call('GET', `/v1/executions?traceId=${traceId}`)).json()).toMatchObject({ items: [] });
});

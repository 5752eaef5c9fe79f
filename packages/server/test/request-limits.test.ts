import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Application, signIn } from './application.js';
import { type Service, startService } from './service.js';
import { rounds } from './support/rounds.js';

const MIB = 1024 * 1024;
const IDENTIFIER = 256;

let service: Service;
let application: Application;

const upstream = createServer((request, reply) => {
  request.resume().on('end', () => reply.end('{}'));
});

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  service = await startService({ connectors: [], flags: ['--allowed-origins', `convintel=${origin}`] });
  application = await signIn(service);
  const made = await application.call('POST', '/v1/connections', {
    body: { connectionName: 'limits', connector: 'convintel', baseUrl: origin },
  });
  expect(made.status).toBe(201);
  const body = { bearerToken: 'key' };
  await application.call('PUT', '/v1/connections/limits/accounts/user_42', { body });
});
afterAll(async () => {
  await service.stop();
  upstream.close();
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | string;
}

/** By a connection of its own, with no header that is not said. */
async function send({ method = 'GET', path, headers = {}, body = '' }: Sent) {
  const request = httpRequest(service.url + path, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${application.accessToken}`, ...headers },
  });
  const answered = once(request, 'response');
  if (typeof body === 'string') request.end(body);
  else body.on('error', () => undefined).pipe(request);
  const [reply] = await answered;
  const { statusCode: status, headers: answer } = reply;
  return { status, code: answer['svc-error'], text: await text(reply) };
}

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const padded = (text: string, bytes: number) => text.replace('…', ' '.repeat(bytes - text.length + 1));
const nested = (depth: number) =>
  `{"connectedAccountId":"acct_1","toolInput":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth)}`;
const ACCOUNT = '/v1/connections/limits/accounts';
const execute = { method: 'POST', path: '/v1/tools/calendar_list_calendars/execute', headers: json };

interface Limit {
  readonly what: string;
  /** What is sent for a number of whatever is limited. */
  readonly given: (count: number) => Sent;
  readonly most: number;
  /** Costs seconds, so that only full runs have it. */
  readonly isLong?: boolean;
  /** What the largest is answered with. */
  readonly taken: number;
  readonly refused: readonly [number, string];
}

const LIMITS: readonly Limit[] = [
  {
    what: 'bytes of JSON',
    given: (count) => ({
      ...execute,
      body: padded('{"connectedAccountId":"acct_1","toolInput":{}…}', count),
    }),
    most: MIB,
    taken: 404,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'levels of JSON',
    given: (count) => ({ ...execute, body: nested(count) }),
    most: 32,
    taken: 404,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes to sign an operator in',
    given: (count) => ({
      method: 'POST',
      path: '/v1/operator/session',
      headers: json,
      body: padded('{"name":"nobody","password":"wrong"…}', count),
    }),
    most: 4096,
    taken: 401,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes to sign an application in',
    given: (count) => ({
      method: 'POST',
      path: '/oauth/token',
      headers: { ...form, authorization: 'Basic bm9ib2R5Ondyb25n' },
      body: padded('grant_type=client_credentials&more=…', count).replaceAll(' ', 'x'),
    }),
    most: 4096,
    taken: 401,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes to verify',
    given: (count) => ({
      method: 'POST',
      path: '/v1/accounts/verify',
      headers: json,
      body: padded('{"authRequestId":"none","identifier":"user_42"…}', count),
    }),
    most: 4096,
    taken: 404,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes of an answer on the connect page',
    given: (count) => ({
      method: 'POST',
      path: '/connect/none',
      headers: form,
      body: `decision=${'x'.repeat(count - 'decision='.length)}`,
    }),
    most: 4096,
    taken: 403,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'headers',
    // Host, connection and authorization are there already.
    given: (count) => ({
      path: '/v1/connectors',
      headers: Object.fromEntries(Array.from({ length: count - 3 }, (_, index) => [`x-${index}`, '1'])),
    }),
    most: 64,
    taken: 200,
    refused: [431, 'headers_too_large'],
  },
  {
    what: 'bytes of headers and path',
    // Node counts neither what stands between names and values nor the ends of lines.
    given: (count) => {
      const { host } = new URL(service.url);
      const known = ['/healthz', 'Host', host, 'Connection', 'close', 'x'].join('').length;
      const authorization = `authorizationBearer ${application.accessToken}`.length;
      return { path: '/healthz', headers: { x: 'x'.repeat(count - known - authorization) } };
    },
    most: 16 * 1024,
    taken: 200,
    refused: [431, 'headers_too_large'],
  },
  {
    what: 'bytes of a path',
    given: (count) => ({ path: '/v1/proxy/limits/user_42/'.padEnd(count, 'x') }),
    most: 8192,
    taken: 200,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of a path and its query',
    given: (count) => ({ path: '/healthz?'.padEnd(count, 'x') }),
    most: 8192,
    taken: 200,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an identifier',
    given: (count) => ({ method: 'PUT', path: `${ACCOUNT}/${'x'.repeat(count)}` }),
    most: IDENTIFIER,
    taken: 201,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an identifier in the proxy',
    given: (count) => ({ path: `/v1/proxy/limits/${'y'.repeat(count)}/v2/calls` }),
    most: IDENTIFIER,
    taken: 404,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'two-byte characters of an identifier',
    given: (count) => ({ method: 'PUT', path: `${ACCOUNT}/${encodeURIComponent('é'.repeat(count))}` }),
    most: IDENTIFIER / 2,
    taken: 201,
    refused: [400, 'invalid_request'],
  },
  {
    what: 'bytes of an upload, told by their length',
    given: (count) => ({
      method: 'PUT',
      path: '/v1/proxy/limits/user_42/v2/calls',
      headers: { 'content-length': String(count) },
      body: zeros(count > 250 * MIB ? 0 : count),
    }),
    most: 250 * MIB,
    taken: 200,
    refused: [413, 'payload_too_large'],
  },
  {
    what: 'bytes of an upload in chunks',
    isLong: true,
    given: (count) => ({
      method: 'PUT',
      path: '/v1/proxy/limits/user_42/v2/calls',
      headers: { 'transfer-encoding': 'chunked' },
      body: zeros(count),
    }),
    most: 250 * MIB,
    taken: 200,
    refused: [413, 'payload_too_large'],
  },
];

const CHUNK = Buffer.alloc(MIB);

function zeros(count: number): Readable {
  let left = count;
  return new Readable({
    highWaterMark: MIB,
    read() {
      this.push(left === 0 ? null : CHUNK.subarray(0, Math.min(left, MIB)));
      left -= Math.min(left, MIB);
    },
  });
}

describe('A10: a request may have', () => {
  test.each(LIMITS.filter(({ isLong }) => !isLong || rounds(20) > 1))(
    '$most $what, and not one more',
    async ({ given, most, taken, refused }) => {
      const largest = await send(given(most));
      expect([largest.status, largest.text.slice(0, 300)]).toEqual([taken, expect.anything()]);
      const larger = await send(given(most + 1));
      expect([larger.status, larger.code]).toEqual(refused);
    },
    300_000,
  );
});

interface Hostile {
  readonly what: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOSTILE: readonly Hostile[] = [
  { what: 'parameters', url: `/v1/executions?${'a&'.repeat(4000)}` },
  {
    what: 'distinct parameters',
    url: `/v1/executions?${Array.from({ length: 1200 }, (_, index) => `p${index}&`).join('')}`,
  },
  { what: 'equal parameters', url: `/v1/executions?${'pageSize=1&'.repeat(700)}` },
  { what: 'escapes in a query', url: `/v1/executions?pageToken=${'%41'.repeat(2600)}` },
  { what: 'escapes in a path', url: `/v1/tools/${'%41'.repeat(340)}` },
  { what: 'segments', url: '/a'.repeat(4000) },
  { what: 'cookies', url: '/v1/operator/session', headers: { cookie: 'a=b; '.repeat(2000) } },
  {
    what: 'backslashes in a cookie',
    url: '/v1/operator/session',
    headers: { cookie: `a="${'\\'.repeat(9000)}` },
  },
  {
    what: 'spaces before a token',
    url: '/v1/connectors',
    headers: { authorization: `Bearer ${' '.repeat(12_000)}` },
  },
  {
    what: 'parameters of a content type',
    url: '/v1/executions',
    headers: { 'content-type': `application/json${'; a="b'.repeat(2000)}` },
  },
];

test.each(HOSTILE)('A11: many $what cost little and are answered shortly', async ({ url, headers = {} }) => {
  const authorization = `Bearer ${application.accessToken}`;
  const costs: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const { user } = process.threadCpuUsage();
    const reply = await service.app.server.inject({ url, headers: { authorization, ...headers } });
    costs.push(process.threadCpuUsage().user - user);
    expect(reply.statusCode).toBeLessThan(500);
    expect(reply.payload.length).toBeLessThan(8192);
  }
  // Microseconds. The square of what fits into a request would be a second.
  expect(Math.min(...costs)).toBeLessThan(50_000);
});

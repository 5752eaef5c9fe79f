import { createHash, randomBytes } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Connector } from '@svc/catalog';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import type { Credential } from '../accounts/credentials.js';
import { secret } from '../accounts/secret.js';
import { ServiceError } from '../errors.js';
import { createAgent } from '../http/agent.js';
import { createSend } from '../http/send.js';
import { createExecutions, type Execution } from '../upstream/execution.js';
import { createForward } from '../upstream/forward.js';
import { createLimiter } from '../upstream/limiter.js';
import { proxyRoutes } from './proxy.js';
import type { BodyLimits } from './request-body.js';

const connector: Connector = {
  id: 'sample',
  title: 'Sample',
  description: 'A connector that only tests know.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  headers: { 'X-Version': '2022-06-28' },
  auth: { type: 'api_key', inject: { header: 'X-Api-Key', value: 'key {credential}' } },
  errors: [],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};

interface Setup {
  readonly limits?: BodyLimits;
  readonly renewed?: string | undefined;
  readonly concurrency?: number;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function startProxy(upstreamPort: number, { limits = {}, renewed, concurrency = 100 }: Setup = {}) {
  const origin = `http://127.0.0.1:${upstreamPort}`;
  const executions: Execution[] = [];
  const agent = createAgent({ allowedOrigins: [origin], headersTimeoutMs: 100, idleTimeoutMs: 100 });
  const renewals: number[] = [];
  const forward = createForward({
    connectors: new Map([[connector.id, connector]]),
    credentials: {
      current: async () => ({ secret: secret('first'), version: 1 }),
      renew: async (_, { version }): Promise<Credential | undefined> => {
        renewals.push(version);
        return renewed === undefined ? undefined : { secret: secret(renewed), version: version + 1 };
      },
    },
    send: createSend(agent),
    limiter: createLimiter({ concurrency, queue: 0 }),
  });
  const app: FastifyInstance = fastify();
  app.decorateRequest('applicationId', 'app_1');
  app.setErrorHandler((error, _, reply) => {
    const { status, code } = error instanceof ServiceError ? error : { status: 500, code: 'internal_error' };
    return reply
      .code(status)
      .header('svc-error', code)
      .send({ error: { code, message: String(error) } });
  });
  await app.register(
    proxyRoutes({
      resolve: {
        byIdentifier: async (applicationId, connectionName, identifier) => ({
          id: 'acct_1',
          applicationId,
          identifier,
          connectionId: 'conn_1',
          connectionName,
          connector: connector.id,
          baseUrl: `${origin}/base`,
        }),
      },
      forward,
      beginExecution: createExecutions({
        record: (execution) => executions.push(execution),
        now: () => new Date(0),
        randomId: () => '1',
      }),
      limits,
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  closing.push(
    () => app.close(),
    () => agent.destroy(),
  );
  const { port } = app.server.address() as AddressInfo;
  return { port, executions, renewals };
}

type Answer = (request: IncomingMessage, reply: ServerResponse) => void;
const start = async (answer: Answer, setup: Setup = {}) =>
  startProxy(await listen(createServer(answer)), setup);

function call(
  port: number,
  options: RequestOptions = {},
  body?: Buffer | Readable,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = '/v1/proxy/conn/user_42/v1/x';
    const request = httpRequest({ port, host: '127.0.0.1', path, agent: false, ...options }, resolve);
    request.on('error', reject);
    if (body instanceof Readable) body.pipe(request);
    else request.end(body);
  });
}

const echo: Answer = (request, reply) => {
  reply.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }));
};
const readEcho = async (reply: IncomingMessage) => JSON.parse(await text(reply));
const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1]]] : []));

test('sends method, path, query and body as they are, below the base URL', async () => {
  const { port } = await start((request, reply) => request.pipe(reply.setHeader('x-url', request.url ?? '')));
  const path = '/v1/proxy/conn/user%2042/v1/a%20b/%25?q=%2F..%2F&q=é';
  const reply = await call(
    port,
    { method: 'PATCH', path: path.replace('é', '%C3%A9') },
    Buffer.from('{"a":1}'),
  );
  expect(reply.headers['x-url']).toBe('/base/v1/a%20b/%25?q=%2F..%2F&q=%C3%A9');
  expect(await text(reply)).toBe('{"a":1}');
});

test("adds the credential once, and the connector's default headers where the caller gives none", async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, {
      headers: { authorization: 'Bearer caller', 'X-API-KEY': 'mine' },
    }),
  );
  const sent = pairs(headers);
  expect(sent.filter(([name]) => name === 'x-api-key' || name === 'authorization')).toEqual([
    ['x-api-key', 'key first'],
  ]);
  expect(sent.filter(([name]) => name === 'x-version')).toEqual([['x-version', '2022-06-28']]);
});

test("the caller's own value of a default header wins", async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, { headers: { 'x-version': '2025-09-03', 'user-agent': 'mine' } }),
  );
  expect(pairs(headers).filter(([name]) => name === 'x-version' || name === 'user-agent')).toEqual([
    ['x-version', '2025-09-03'],
    ['user-agent', 'mine'],
  ]);
});

test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('takes %s', async (method) => {
  const { port } = await start((request, reply) => reply.setHeader('x-method', request.method ?? '').end());
  const reply = await call(port, { method });
  reply.resume();
  expect(reply.headers['x-method']).toBe(method);
});

test.each(['OPTIONS', 'TRACE'])('refuses %s', async (method) => {
  const { port } = await start(echo);
  const reply = await call(port, { method });
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([405, 'method_not_allowed']);
});

test('answers HEAD with the length and no body', async () => {
  const { port } = await start((_, reply) => reply.setHeader('content-length', 1234).end());
  const reply = await call(port, { method: 'HEAD' });
  expect([await text(reply), reply.headers['content-length']]).toEqual(['', '1234']);
});

test('passes a redirect on', async () => {
  const { port } = await start((_, reply) =>
    reply.writeHead(307, { location: 'https://elsewhere.example/' }).end(),
  );
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers.location]).toEqual([307, 'https://elsewhere.example/']);
});

test('passes upstream errors through untouched, and not marked as ours', async () => {
  const { port, executions } = await start((_, reply) =>
    reply.writeHead(429, { 'retry-after': '7', 'svc-error': 'fake' }).end('slow down'),
  );
  const reply = await call(port);
  expect([
    reply.statusCode,
    reply.headers['retry-after'],
    reply.headers['svc-error'],
    await text(reply),
  ]).toEqual([429, '7', undefined, 'slow down']);
  expect(executions).toMatchObject([
    { kind: 'proxy', status: 429, upstreamStatus: 429, errorCode: null, method: 'GET' },
  ]);
});

test('passes compressed bodies through undecoded', async () => {
  const compressed = gzipSync('hello '.repeat(1000));
  const { port } = await start((_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': compressed.length }).end(compressed),
  );
  const reply = await call(port, { headers: { 'accept-encoding': 'gzip' } });
  expect(reply.headers['content-encoding']).toBe('gzip');
  expect((await buffer(reply)).equals(compressed)).toBe(true);
});

test('lets the upstream judge a malformed Content-Type', async () => {
  const { port } = await start(echo);
  const { headers } = await readEcho(
    await call(port, { method: 'POST', headers: { 'content-type': 'nonsense;;' } }, Buffer.from('x')),
  );
  expect(pairs(headers)).toContainEqual(['content-type', 'nonsense;;']);
});

test.each([
  { title: 'a dot segment', path: '/v1/proxy/conn/user/v1/../admin' },
  { title: 'an encoded dot segment', path: '/v1/proxy/conn/user/v1/%2e%2e/admin' },
  { title: 'an encoded slash', path: '/v1/proxy/conn/user/v1/a%2Fb' },
  { title: 'a scheme-relative path', path: '/v1/proxy/conn/user//evil.example/' },
  { title: 'a malformed escape', path: '/v1/proxy/conn/user/v1/%zz' },
  { title: 'no upstream path', path: '/v1/proxy/conn/user' },
  { title: 'an identifier with a control character', path: '/v1/proxy/conn/us%0Aer/v1' },
  { title: 'an identifier that is not UTF-8', path: '/v1/proxy/conn/%ff/v1' },
  { title: 'an identifier that is too long', path: `/v1/proxy/conn/${'x'.repeat(257)}/v1` },
  { title: 'a path that is too long', path: `/v1/proxy/conn/user/${'x'.repeat(8192)}` },
  { title: 'the absolute form', path: 'http://evil.example/v1/proxy/conn/user/v1' },
])('refuses $title and sends nothing', async ({ path }) => {
  let count = 0;
  const { port } = await start((_, reply) => {
    count += 1;
    reply.end();
  });
  const reply = await call(port, { path });
  reply.resume();
  expect([reply.statusCode, count]).toEqual([400, 0]);
});

test('renews the credential once after a 401 and sends a held body again', async () => {
  const bodies: string[] = [];
  const { port, renewals } = await start(
    async (request, reply) => {
      bodies.push(`${request.headers['x-api-key']} ${await text(request)}`);
      reply.writeHead(bodies.length === 1 ? 401 : 200).end('done');
    },
    { renewed: 'second' },
  );
  const reply = await call(port, { method: 'POST' }, Buffer.from('body'));
  expect([reply.statusCode, await text(reply)]).toEqual([200, 'done']);
  expect(bodies).toEqual(['key first body', 'key second body']);
  expect(renewals).toEqual([1]);
});

test('gives a second 401 to the caller', async () => {
  let count = 0;
  const { port } = await start(
    (_, reply) => {
      count += 1;
      reply.writeHead(401).end(`try ${count}`);
    },
    { renewed: 'second' },
  );
  const reply = await call(port);
  expect([reply.statusCode, await text(reply), count]).toEqual([401, 'try 2', 2]);
});

test('does not send a streamed body again', async () => {
  let count = 0;
  const { port, renewals } = await start(
    async (request, reply) => {
      count += 1;
      await buffer(request);
      reply.writeHead(401).end('once');
    },
    { renewed: 'second', limits: { holdBytes: 3 } },
  );
  const reply = await call(port, { method: 'POST' }, Buffer.from('body'));
  expect([reply.statusCode, await text(reply), count, renewals]).toEqual([401, 'once', 1, [1]]);
});

const SIZE = 64 * 1024 * 1024;
const CHUNK = randomBytes(64 * 1024);
const bigBody = () =>
  Readable.from(
    (function* () {
      for (let sent = 0; sent < SIZE; sent += CHUNK.length) yield CHUNK;
    })(),
  );

async function digest(source: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  return hash.digest('hex');
}

test('streams 64 MiB up and down at once, byte for byte', async () => {
  const { port } = await start((request, reply) => request.pipe(reply));
  const reply = await call(port, { method: 'PUT' }, bigBody());
  expect(await digest(reply)).toBe(await digest(bigBody()));
}, 20_000);

// What the sockets of the machine buffer passes; anything beyond would be held by the proxy.
const BUFFERED_BY_SOCKETS = 40 * 1024 * 1024;

/** Resolves with the bytes that went out once no more go out. */
async function writeUntilFull(target: Writable): Promise<number> {
  let written = 0;
  let before = -1;
  while (written !== before) {
    before = written;
    while (target.write(CHUNK)) written += CHUNK.length;
    written += CHUNK.length;
    const drained = new Promise((resolve) => target.once('drain', () => resolve(true)));
    const stalled = new Promise((resolve) => setTimeout(() => resolve(false), 60));
    if (!(await Promise.race([drained, stalled]))) return written;
    if (written > 4 * SIZE) return written;
  }
  return written;
}

test('holds the upstream back when the caller does not read', async () => {
  const { promise: written, resolve } = Promise.withResolvers<number>();
  const { port } = await start((_, reply) => resolve(writeUntilFull(reply)));
  const reply = await call(port);
  expect(await written).toBeLessThan(BUFFERED_BY_SOCKETS);
  reply.destroy();
});

test('holds the caller back when the upstream does not read', async () => {
  const { port } = await start((request) => request.pause());
  const path = '/v1/proxy/conn/user_42/v1/x';
  const request = httpRequest({ port, host: '127.0.0.1', path, method: 'PUT', agent: false });
  request.on('error', () => undefined);
  expect(await writeUntilFull(request)).toBeLessThan(BUFFERED_BY_SOCKETS);
  request.destroy();
});

test('the first bytes arrive upstream before the caller has sent the rest', async () => {
  const { promise: seen, resolve } = Promise.withResolvers<string>();
  const { port } = await start((request, reply) => {
    request.once('data', (chunk) => resolve(String(chunk)));
    request.on('end', () => reply.end('complete'));
  });
  const body = new Readable({ read: () => undefined });
  body.push('first');
  const reply = call(port, { method: 'POST' }, body);
  expect(await seen).toBe('first');
  body.push(null);
  expect(await text(await reply)).toBe('complete');
});

test.each([
  { title: 'a declared length', headers: { 'content-length': '20' } },
  { title: 'chunks', headers: {} },
])('refuses a body over the limit, told by $title', async ({ headers }) => {
  const { port, executions } = await start((request) => request.resume(), {
    limits: { maxBytes: 10, holdBytes: 1 },
  });
  const body = Readable.from([Buffer.alloc(8), Buffer.alloc(12)]);
  const reply = await call(port, { method: 'POST', headers }, body);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([413, 'payload_too_large']);
  expect(executions).toMatchObject([{ status: 413, errorCode: 'payload_too_large' }]);
});

const serveBytes = (bytes: string) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    }),
  );

test.each([
  { title: 'a length', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort' },
  { title: 'chunks', bytes: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n' },
])('never completes an answer that was cut short, told by $title', async ({ bytes }) => {
  const { port, executions } = await startProxy(await serveBytes(bytes));
  const reply = await call(port);
  await expect(text(reply)).rejects.toThrow();
  expect(reply.complete).toBe(false);
  await vi.waitFor(() => expect(executions).toMatchObject([{ status: 200, errorCode: 'connection_failed' }]));
});

test.each([
  { title: 'oversize headers', bytes: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(66_000)}\r\n\r\n` },
  {
    title: 'conflicting lengths',
    bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  },
  { title: 'an early close', bytes: 'HTTP/1.1 200 OK\r\n' },
])('answers 502 of our own to $title', async ({ bytes }) => {
  const { port } = await startProxy(await serveBytes(bytes));
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([502, 'connection_failed']);
});

test('answers 504 of our own when the upstream does not begin to answer', async () => {
  const { port } = await start(() => undefined);
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([504, 'upstream_timeout']);
});

test('answers 502 when the upstream breaks off an upload, and closes the connection', async () => {
  const { port } = await start((request) => request.once('data', () => request.destroy()));
  const body = new Readable({ read: () => undefined });
  body.push('first');
  const reply = await call(port, { method: 'POST' }, body);
  reply.resume();
  expect([reply.statusCode, reply.headers.connection]).toEqual([502, 'close']);
});

test.each([
  { title: 'before the answer', begin: false },
  { title: 'in the middle of the answer', begin: true },
])('frees the upstream socket when the caller goes away $title', async ({ begin }) => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { port } = await start((request, reply) => {
    request.socket.on('close', () => resolve());
    if (begin) reply.write('begun');
    arrive();
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /v1/proxy/conn/user/v1 HTTP/1.1\r\nhost: x\r\n\r\n');
  await arrived;
  socket.destroy();
  await closed;
});

test('frees the upstream socket when the caller breaks off an upload', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { port } = await start((request) => {
    request.once('data', () => arrive());
    request.once('close', () => resolve());
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /v1/proxy/conn/user/v1 HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n',
  );
  await arrived;
  socket.destroy();
  await closed;
});

test('gives its place back after every call, whatever its end', async () => {
  let count = 0;
  const { port } = await start(
    (_, reply) => {
      count += 1;
      if (count % 2 === 0) reply.destroy();
      else reply.end('ok');
    },
    { concurrency: 1 },
  );
  const statuses: (number | undefined)[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const reply = await call(port);
    await text(reply);
    statuses.push(reply.statusCode);
  }
  expect(statuses).toEqual([200, 502, 200, 502, 200, 502]);
});

test('answers 503 when too many calls of the connection are under way', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { port } = await start(() => arrive(), { concurrency: 1 });
  const first = call(port);
  await arrived;
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([503, 'unavailable']);
  (await first).resume();
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { call, closeAll, listen, start, startProxy } from '../../test/support/upstreams/start-proxy.js';

const HEAD = 'host: x\r\nauthorization: Bearer app_1\r\n';
afterEach(closeAll);

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

test('P9: 64 MiB stream in both directions at once without a changed byte', async () => {
  const { port } = await start((request, reply) => request.pipe(reply));
  const reply = await call(port, { method: 'PUT' }, bigBody());
  expect(await digest(reply)).toBe(await digest(bigBody()));
});

// Maximum number of bytes that the operating system's socket buffers can contain. If the sender can write more, the
// proxy buffers too.
const BUFFERED_BY_SOCKETS = 40 * 1024 * 1024;

/** Writes to a stream until it accepts no more bytes for 60 ms. Returns the number of written bytes. */
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

test('P9: back-pressure of the caller reaches the upstream', async () => {
  const { promise: written, resolve } = Promise.withResolvers<number>();
  const { port } = await start((_, reply) => resolve(writeUntilFull(reply)));
  const reply = await call(port);
  expect(await written).toBeLessThan(BUFFERED_BY_SOCKETS);
  reply.destroy();
});

test('P9: back-pressure of the upstream reaches the caller', async () => {
  const { port } = await start((request) => request.pause());
  const path = '/v1/proxy/conn/user_42/v1/x';
  const headers = { authorization: 'Bearer app_1' };
  const request = httpRequest({ port, host: '127.0.0.1', path, method: 'PUT', agent: false, headers });
  request.on('error', () => undefined);
  expect(await writeUntilFull(request)).toBeLessThan(BUFFERED_BY_SOCKETS);
  request.destroy();
});

test.each(['/v1/x', '/mcp'])(
  'P9: server-sent events of %s reach the caller one by one',
  async (upstreamPath) => {
    const { promise: upstream, resolve } = Promise.withResolvers<ServerResponse>();
    const { port } = await start((_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      resolve(reply);
    });
    // Waits for the headers of the proxied response, which must arrive before its first server-sent event.
    const reply = await call(port, { path: `/v1/proxy/conn/user_42${upstreamPath}` });
    const events = await upstream;
    for (const event of ['data: first\n\n', ': still here\n\n', 'data: second\n\n']) {
      events.write(event);
      const [chunk] = await once(reply, 'data');
      expect(String(chunk)).toBe(event);
    }
    events.end();
    expect(await text(reply)).toBe('');
  },
);

test('P9: the first bytes of a body reach the upstream before the rest is sent', async () => {
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
])('a body above the limit is refused with $title', async ({ headers }) => {
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
])('P11: a truncated response with $title is never completed', async ({ bytes }) => {
  const { port, executions } = await startProxy(await serveBytes(bytes));
  const reply = await call(port);
  await expect(text(reply)).rejects.toThrow();
  expect(reply.complete).toBe(false);
  await expect.poll(() => executions).toMatchObject([{ status: 200, errorCode: 'connection_failed' }]);
});

/** Sends a raw HTTP request to the proxy. Returns all received bytes, and the connection's error code if it failed. */
function readRaw(
  port: number,
  version: string,
  upstreamPath = '/v1',
  headers = '',
): Promise<{ received: string; end: string | undefined }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /v1/proxy/conn/user${upstreamPath} HTTP/${version}\r\n${HEAD}${headers}\r\n`);
  let received = '';
  let end: string | undefined;
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code;
  });
  return new Promise((resolve) => socket.once('close', () => resolve({ received, end })));
}

const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const halves = [
  { title: 'a length', bytes: `${JSON_HEAD}content-length: 100\r\n\r\nhalf` },
  { title: 'chunks', bytes: `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n` },
  { title: 'the connection', bytes: `${JSON_HEAD}\r\nhalf` },
];
const ways = ['falls silent', 'is reset'].flatMap((how) =>
  // Tests both kinds of responses: bodies from `/mcp` pass through the link rewriter, and bodies from `/v1` do not.
  ['/v1', '/mcp'].flatMap((path) => ['1.0', '1.1'].map((version) => ({ how, path, version }))),
);

test.each(halves.flatMap((half) => ways.map((way) => ({ ...half, ...way }))))(
  'P11: the HTTP/$version caller is reset when a response of $path that ends by $title $how',
  async ({ bytes, how, path, version }) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(bytes));
      // Resets the upstream connection after 40 ms, so that the bytes of the partial response arrive first.
      if (how === 'is reset') socket.once('data', () => setTimeout(() => socket.resetAndDestroy(), 40));
    });
    const setup = how === 'falls silent' ? { quietMs: 100 } : {};
    const { port, executions } = await startProxy(await listen(server), setup);
    const { received, end } = await readRaw(port, version, path);
    expect([received.includes('half'), end]).toEqual([true, 'ECONNRESET']);
    await expect.poll(() => executions).toMatchObject([{ errorCode: 'connection_failed' }]);
  },
);

test.each(['1.0', '1.1'])(
  'P11: a response without a length ends by closing the connection of an HTTP/%s caller',
  async (version) => {
    const { port } = await startProxy(await serveBytes('HTTP/1.1 200 OK\r\n\r\nall there is'));
    const { received, end } = await readRaw(port, version);
    const [head = '', body] = received.split('\r\n\r\n');
    expect(head).toMatch(/^connection: close$/im);
    expect(head).not.toMatch(/^(transfer-encoding|content-length):/im);
    expect([body, end]).toEqual(['all there is', undefined]);
  },
);

test.each([
  { title: 'status 204', method: 'GET', bytes: 'HTTP/1.1 204 No Content\r\n\r\n' },
  { title: 'status 304', method: 'GET', bytes: 'HTTP/1.1 304 Not Modified\r\n\r\n' },
  { title: 'a HEAD request', method: 'HEAD', bytes: 'HTTP/1.1 200 OK\r\n\r\n' },
])('P11: the connection of the caller is kept after $title', async ({ method, bytes }) => {
  const { port } = await startProxy(await serveBytes(bytes));
  const reply = await call(port, { method, headers: { connection: 'keep-alive' } });
  reply.resume();
  expect(reply.headers.connection).toBe('keep-alive');
});

test.each([
  { title: 'oversized headers', bytes: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(66_000)}\r\n\r\n` },
  {
    title: 'conflicting lengths',
    bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  },
  { title: 'an early close', bytes: 'HTTP/1.1 200 OK\r\n' },
])('P11, P12: $title of the upstream gets a 502 of the service', async ({ bytes }) => {
  const { port } = await startProxy(await serveBytes(bytes));
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([502, 'connection_failed']);
});

test('P10, P12: an upstream without a response gets a 504 of the service', async () => {
  const { port } = await start(() => undefined, { quietMs: 100 });
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([504, 'upstream_timeout']);
});

const QUIET_MS = 100;
const pause = (ms = QUIET_MS) => new Promise((resolve) => setTimeout(resolve, 3 * ms));

test.each([
  { title: 'an MCP request waits for its response', path: '/mcp', type: 'application/json', early: '' },
  { title: 'an event stream is silent', path: '/v1/stream', type: 'text/event-stream', early: ': hello\n\n' },
  {
    title: 'an event stream in another spelling is silent',
    path: '/v1/stream',
    type: 'Text/Event-Stream; charset=utf-8',
    early: ': hello\n\n',
  },
])('P10: the timeout is longer while $title', async ({ path, type, early }) => {
  const { port } = await start(
    async (_, reply) => {
      reply.setHeader('content-type', type);
      if (early !== '') reply.write(early);
      await pause();
      reply.end('{}');
    },
    { quietMs: QUIET_MS },
  );
  const reply = await call(port, { path: `/v1/proxy/conn/user${path}` });
  expect([reply.statusCode, await text(reply)]).toEqual([200, `${early}{}`]);
});

test('P10: a slow caller is not mistaken for a silent upstream', async () => {
  // Allows a longer silence than QUIET_MS, because on a busy machine this test's upstream may be silent for longer
  // after the pause.
  const quietMs = 10 * QUIET_MS;
  const { port } = await start((_, reply) => void reply.end(Buffer.alloc(SIZE)), { quietMs });
  const reply = await call(port);
  reply.pause();
  await pause(quietMs);
  let received = 0;
  for await (const chunk of reply) received += chunk.length;
  expect(received).toBe(SIZE);
});

test('P2: encoded slashes are forwarded where the connector allows them', async () => {
  const { port } = await start((request, reply) => void reply.end(request.url));
  const path = '/v1/proxy/conn/user/projects/group%2Fa/issues';
  expect(await text(await call(port, { path }))).toBe('/base/projects/group%2Fa/issues');
  expect((await call(port, { path: path.replace('projects', 'users') })).statusCode).toBe(400);
});

test('P10: the content length of a response without a body is removed', async () => {
  const { port } = await startProxy(await serveBytes('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'));
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['content-length']]).toEqual([204, undefined]);
});

test.each([
  { upgrade: 'websocket', status: 501 },
  { upgrade: 'WebSocket', status: 501 },
  { upgrade: 'h2c, websocket', status: 501 },
  { upgrade: 'websocket/13', status: 501 },
  { upgrade: 'h2c', status: 200 },
  { upgrade: 'websocketish', status: 200 },
])('an upgrade to $upgrade gets $status', async ({ upgrade, status }) => {
  const { port } = await start((_, reply) => void reply.end('plain'));
  const { received } = await readRaw(
    port,
    '1.1',
    '/v1',
    `connection: upgrade, close\r\nupgrade: ${upgrade}\r\n`,
  );
  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(/^svc-error: websockets_not_supported$/im.test(received)).toBe(status === 501);
});

test('P11: an upstream that aborts an upload gets a 502 and a closed connection', async () => {
  const { port } = await start((request) => request.once('data', () => request.destroy()));
  const body = new Readable({ read: () => undefined });
  body.push('first');
  const reply = await call(port, { method: 'POST' }, body);
  reply.resume();
  expect([reply.statusCode, reply.headers.connection]).toEqual([502, 'close']);
});

test('every call releases its slot whatever its outcome', async () => {
  let count = 0;
  const { port } = await start(
    (_, reply) => {
      count += 1;
      if (count % 2 === 0) reply.destroy();
      else reply.end('ok');
    },
    { limiter: { concurrency: 1, queue: 0 } },
  );
  const statuses: (number | undefined)[] = [];
  for (let round = 0; round < 6; round += 1) {
    const reply = await call(port);
    await text(reply);
    statuses.push(reply.statusCode);
  }
  expect(statuses).toEqual([200, 502, 200, 502, 200, 502]);
});

test('too many running calls of a connection get 503', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<ServerResponse>();
  const { port } = await start((_, reply) => arrive(reply), { limiter: { concurrency: 1, queue: 0 } });
  const first = call(port);
  const waiting = await arrived;
  const reply = await call(port);
  reply.resume();
  expect([reply.statusCode, reply.headers['svc-error']]).toEqual([503, 'unavailable']);
  waiting.end();
  expect((await first).resume().statusCode).toBe(200);
});

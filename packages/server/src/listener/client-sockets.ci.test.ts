import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCallers } from '../caller.js';
import type { Log } from '../log/log.js';
import { addJsonBody } from '../routes/json-body.js';
import { createHttpServer, type HttpServerOptions } from './http-server.js';

// Milliseconds between two checks of the client connections. A connection without progress for 30 checks is closed.
const LOOK_MS = 20;
const LONG_MS = 40 * LOOK_MS;
const LARGE = 'x'.repeat(24 * 1024 * 1024);

async function startServer({ limits, ...options }: Partial<HttpServerOptions> = {}) {
  const lines: unknown[] = [];
  const silent: Log = { info() {}, debug() {}, warn() {}, request() {}, fault() {}, flush() {} };
  const app = await createHttpServer({
    log: { ...silent, warn: (message, fields) => lines.push([message, fields]) },
    environmentUrl: 'http://localhost',
    trustedProxies: [],
    version: '0.0.0',
    callers: createCallers(),
    limits: { lookMs: LOOK_MS, ...limits },
    ...options,
  });
  onTestFinished(() => app.close());
  app.get('/large', async () => LARGE);
  await app.register(async (json) => {
    addJsonBody(json);
    json.post('/json', async ({ body }) => ({ body }));
  });
  await app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));
    uploads.post('/upload', ({ raw }) => {
      app.expectUpload(raw);
      return new Promise((resolve) => raw.resume().once('end', () => resolve('')));
    });
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const open = async (sent = '', localAddress = '127.0.0.1') => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    socket.write(sent);
    return socket;
  };
  return { app, lines, open };
}

const head = (path: string, ...more: readonly string[]) =>
  [`${more.length > 0 ? 'POST' : 'GET'} ${path} HTTP/1.1`, 'host: localhost', ...more, '', ''].join('\r\n');
const JSON_TYPE = 'content-type: application/json';
const isClosed = (socket: Socket) =>
  new Promise((resolve) => {
    if (socket.closed) resolve('closed');
    else socket.once('close', () => resolve('closed'));
  });

/** Sends one byte every LOOK_MS, until `count` bytes are sent or the server closes the connection. */
async function drip(socket: Socket, count = Number.POSITIVE_INFINITY) {
  for (let sent = 0; sent < count && socket.writable; sent += 1) {
    socket.write(' ');
    await wait(LOOK_MS);
  }
}

test('F5: callers that do not read their response are disconnected and logged once', async () => {
  const { app, lines, open } = await startServer();
  const sockets = await Promise.all(Array.from({ length: 3 }, () => open(head('/large'))));
  await vi.waitFor(async () => expect(await countOf(app)).toBe(0), { timeout: 20_000 });
  for (const socket of sockets) socket.destroy();
  await app.close();
  const message =
    'connections were closed, because the callers did not read the response in time; these callers must retry';
  expect(lines).toEqual([[message, { count: 3 }]]);
});

const countOf = (app: Awaited<ReturnType<typeof startServer>>['app']) =>
  new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));

test('F5: a caller that reads slowly but steadily gets its whole response', async () => {
  const { open } = await startServer();
  const socket = await open(head('/large', 'connection: close', 'content-length: 0').replace('POST', 'GET'));
  let received = 0;
  let paused = 0;
  socket.on('data', ({ length }) => {
    received += length;
    if (received < (paused + 1) * 2 ** 21) return;
    paused += 1;
    socket.pause();
    setTimeout(() => socket.resume(), 5 * LOOK_MS);
  });
  await once(socket, 'close');
  expect(paused).toBeGreaterThan(8);
  expect(received).toBeGreaterThan(LARGE.length);
});

test.each([
  { title: 'JSON', given: ['/json', JSON_TYPE, 'content-length: 5000'], begin: '' },
  { title: 'JSON in chunks', given: ['/json', JSON_TYPE, 'transfer-encoding: chunked'], begin: 'fff\r\n' },
] as const)(
  'A10: a body of $title that arrives too slowly gets 408',
  async ({ given: [path, ...headers], begin }) => {
    const { lines, app, open } = await startServer();
    const socket = await open(head(path, ...headers) + begin);
    const reply = text(socket);
    await drip(socket, 200);
    expect(await reply).toMatch(/^HTTP\/1.1 408 .*"code":"request_timeout"/s);
    await app.close();
    expect(lines).toHaveLength(1);
  },
);

test('A10: an upload may be slow but gets 408 when it stalls', async () => {
  const { open } = await startServer();
  const socket = await open(head('/upload', 'content-type: text/plain', 'content-length: 60'));
  const first = once(socket, 'data');
  await drip(socket, 60);
  expect(String(await first)).toMatch(/^HTTP\/1.1 200 /);
  socket.write(head('/upload', 'content-type: text/plain', 'content-length: 61') + ' '.repeat(60));
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
});

test('a response that has begun is aborted without another response in it', async () => {
  const { open } = await startServer();
  const socket = await open(head('/large'));
  await once(socket, 'readable');
  socket.write('no request\r\n\r\n');
  const reply = await text(socket).catch(() => 'broken off');
  expect(reply).not.toContain('invalid_request');
});

test('R2: a pause of the process does not count towards the timeouts of callers', async () => {
  const { open } = await startServer();
  const socket = await open(`${head('/json', JSON_TYPE, 'content-length: 4')}tr`);
  const reply = once(socket, 'data');
  await wait(LOOK_MS);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LONG_MS);
  await wait(5 * LOOK_MS);
  socket.write('ue');
  expect(String(await reply)).toMatch(/^HTTP\/1.1 200 /);
});

test('F5: an address has a limited number of connections, and a closed one makes room for another', async () => {
  const { app, lines, open } = await startServer({ limits: { perAddress: 2, lookMs: LOOK_MS } });
  const [first] = [await open(), await open()];
  await Promise.all([1, 2, 3].map(async () => expect(await isClosed(await open())).toBe('closed')));
  const elsewhere = await open(head('/healthz'), '127.0.0.2');
  expect(String(await once(elsewhere, 'data'))).toMatch(/404/);
  first.destroy();
  await expect.poll(() => countOf(app)).toBe(2);
  expect(String(await once(await open(head('/')), 'data'))).toMatch(/404/);
  await app.close();
  expect(lines).toEqual([
    [
      'connections were refused, because SVC_MAX_CONNECTIONS or SVC_MAX_CONNECTIONS_PER_ADDRESS was reached; raise them if the callers are known',
      { count: 3 },
    ],
  ]);
});

test('F5: a trusted proxy may exceed the limit per address, but not the total limit', async () => {
  const { lines, app, open } = await startServer({
    trustedProxies: ['127.0.0.0/30'],
    limits: { perAddress: 1, total: 3 },
  });
  await Promise.all([open(), open(), open(head('/'))]);
  expect(await isClosed(await open())).toBe('closed');
  await app.close();
  expect(lines).toEqual([
    [
      'connections were refused, because SVC_MAX_CONNECTIONS or SVC_MAX_CONNECTIONS_PER_ADDRESS was reached; raise them if the callers are known',
      { count: 1 },
    ],
  ]);
});

test.each([
  { title: 'a length', headers: ['content-length: 8388608'] },
  { title: 'chunks', headers: ['transfer-encoding: chunked'] },
])(
  'A10: a caller that sends a body above the limit with $title can read the whole response',
  async ({ headers }) => {
    const { open } = await startServer();
    const socket = await open(head('/json', JSON_TYPE, ...headers));
    const failed = vi.fn();
    socket.on('error', failed);
    const chunk = ' '.repeat(2 ** 20);
    for (let sent = 0; sent < 8; sent += 1) {
      socket.write(headers[0]?.includes('chunked') ? `100000\r\n${chunk}\r\n` : chunk);
    }
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*"requestId":"req_[^"]+"\}\}$/s);
    expect(failed).not.toHaveBeenCalled();
  },
);

test('A10: a body above the limit gets the response or a reset in a plain runtime', async () => {
  const { open } = await startServer({ plainRuntime: true });
  const socket = await open(head('/json', JSON_TYPE, 'content-length: 8388608'));
  socket.write(' '.repeat(8 * 2 ** 20));
  expect(await text(socket).catch(({ code }) => code)).toMatch(/^HTTP\/1.1 413 |^ECONNRESET$|^EPIPE$/);
  expect(String(await once(await open(head('/nowhere')), 'data'))).toMatch(/^HTTP\/1.1 404 /);
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createAgent } from './agent.js';
import { createFetch } from './fetch.js';
import { createSend, type HttpRequest } from './send-http.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (respond: (request: IncomingMessage, reply: ServerResponse) => void) =>
  listen(createServer(respond));
const serveBytes = (bytes: string) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    }),
  );

const limits = { connectTimeoutMs: 200, headersTimeoutMs: 80, idleTimeoutMs: 80 };
const connector = 'calendar';
const agentFor = (origin: string) => createAgent({ allowedOrigins: [{ connector, origin }], ...limits });
const sendTo = (origin: string, request: Partial<HttpRequest> = {}) =>
  createSend(agentFor(origin))({
    owner: 'app_1',
    connector,
    origin,
    path: '/',
    method: 'GET',
    headers: [],
    totalMs: 1_000,
    ...request,
  });

test('a response keeps status, headers and body', async () => {
  const origin = await serve((request, reply) => {
    reply.writeHead(418, { 'x-method': request.method, 'content-encoding': 'gzip', 'x-two': ['a', 'b'] });
    reply.end('not really gzip');
  });
  const { status, headers, body } = await sendTo(origin, { method: 'DELETE' });
  expect(status).toBe(418);
  expect(headers).toMatchObject({ 'x-method': 'DELETE', 'content-encoding': 'gzip', 'x-two': ['a', 'b'] });
  expect(await text(body.stream())).toBe('not really gzip');
});

test('P10: a request can have a longer timeout than others', async () => {
  const waiting: ServerResponse[] = [];
  const origin = await serve((request, reply) => {
    if (request.url === '/patient') waiting.push(reply);
  });
  const patient = sendTo(origin, { path: '/patient', totalMs: 20_000, idleMs: 20_000 });
  await expect(sendTo(origin, { totalMs: 20_000 })).rejects.toMatchObject({ code: 'upstream_timeout' });
  for (const reply of waiting) reply.end('done');
  expect(await text((await patient).body.stream())).toBe('done');
});

test('P8: a redirect is not followed', async () => {
  const origin = await serve((_, reply) => reply.writeHead(302, { location: '/elsewhere' }).end());
  const { status, headers, body } = await sendTo(origin);
  body.discard();
  expect([status, headers['location']]).toEqual([302, '/elsewhere']);
});

test.each([
  {
    title: 'more than 64 KiB of headers',
    bytes: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(66_000)}\r\n\r\n`,
    reason: 'headers_too_large',
  },
  { title: 'something that is not HTTP', bytes: 'SSH-2.0-server\r\n', reason: 'invalid_response' },
  {
    title: 'two different lengths',
    bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\nhello',
    reason: 'invalid_response',
  },
  {
    title: 'a length and chunks',
    bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    reason: 'invalid_response',
  },
  {
    title: 'a folded header',
    bytes: 'HTTP/1.1 200 OK\r\nx: a\r\n\u0000b\r\n\r\n',
    reason: 'invalid_response',
  },
  { title: 'no response', bytes: '', reason: 'closed' },
])('A12, F7, P11: an upstream that sends $title is refused and not named', async ({ bytes, reason }) => {
  const origin = await serveBytes(bytes);
  await expect(sendTo(origin)).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.not.stringContaining('127.0.0.1'),
    details: { reason },
  });
});

test.each([
  { title: 'a truncated body', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort' },
  { title: 'truncated chunks', bytes: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n' },
])('F7, P11: reading $title fails', async ({ bytes }) => {
  const { body } = await sendTo(await serveBytes(bytes));
  await expect(text(body.stream())).rejects.toMatchObject({ code: 'connection_failed' });
});

test('a credential with characters that a header cannot contain is reported', async () => {
  const origin = await serve((_, reply) => reply.end());
  await expect(sendTo(origin, { headers: ['x-key', 'a\nb'] })).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'not_sent' },
  });
});

test('F7: an upstream that refuses the connection is reported', async () => {
  await expect(sendTo('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'refused' },
  });
});

test('A12, F7: an unknown host is reported without its name', async () => {
  const missing = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const send = createSend(createAgent({ resolve: () => Promise.reject(missing) }));
  const request = {
    owner: 'app_1',
    origin: 'https://upstream.example',
    path: '/',
    method: 'GET',
    headers: [],
    totalMs: 1_000,
  };
  await expect(send(request)).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.not.stringContaining('upstream.example'),
    details: { reason: 'unknown_host' },
  });
});

test('A12, F7, P10: an upstream without a response times out and is not named', async () => {
  const origin = await serve(() => undefined);
  await expect(sendTo(origin)).rejects.toMatchObject({
    code: 'upstream_timeout',
    message: expect.not.stringContaining('127.0.0.1'),
    details: undefined,
  });
});

test('F7, P10: an upstream that stops in the middle of a response times out', async () => {
  const origin = await serve((_, reply) => {
    reply.write('begun');
  });
  const { body } = await sendTo(origin);
  await expect(text(body.stream())).rejects.toMatchObject({ code: 'upstream_timeout' });
});

test('P10: a response ends at the total deadline although bytes keep arriving', async () => {
  const origin = await serve((_, reply) => {
    const timer = setInterval(() => reply.write('.'), 10);
    reply.on('close', () => clearInterval(timer));
  });
  const { body } = await sendTo(origin, { totalMs: 500 });
  await expect(text(body.stream())).rejects.toMatchObject({ code: 'upstream_timeout' });
});

test.each([
  { title: 'before the response', begin: false },
  { title: 'in the middle of the response', begin: true },
])('P10: the socket is freed when the caller disconnects $title', async ({ begin }) => {
  const caller = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const origin = await serve((request, reply) => {
    request.socket.on('close', () => resolve());
    if (begin) reply.write('begun');
    arrive();
  });
  const sent = sendTo(origin, { signal: caller.signal }).then(({ body }) => text(body.stream()));
  await arrived;
  caller.abort();
  await expect(sent).rejects.toMatchObject({ details: { reason: 'aborted' } });
  await closed;
});

test('a request of a disconnected caller is not sent', async () => {
  const origin = await serve((_, reply) => reply.end());
  await expect(sendTo(origin, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    details: { reason: 'aborted' },
  });
});

test('P8: the fetch does not follow redirects even when the caller requests it', async () => {
  const origin = await serve((_, reply) => reply.writeHead(307, { location: '/elsewhere' }).end());
  const reply = await createFetch(agentFor(origin))(origin, { connector, redirect: 'follow' });
  expect([reply.status, reply.headers.get('location')]).toEqual([307, '/elsewhere']);
});

test('the fetch posts a form', async () => {
  const origin = await serve(async (request, reply) =>
    reply.end(`${request.headers['content-type']} ${await text(request)}`),
  );
  const body = new URLSearchParams({ a: '1' });
  const reply = await createFetch(agentFor(origin))(`${origin}/token`, { connector, method: 'POST', body });
  expect(await reply.text()).toBe('application/x-www-form-urlencoded;charset=UTF-8 a=1');
});

test('P10: the fetch ends at its deadline', async () => {
  const origin = await serve(() => undefined);
  const fetch = createFetch(createAgent({ allowedOrigins: [{ connector, origin }] }), { timeoutMs: 50 });
  await expect(fetch(origin, { connector })).rejects.toMatchObject({ code: 'upstream_timeout' });
});

test('N1: the fetch applies the same address checks', async () => {
  await expect(createFetch(createAgent())('https://127.0.0.1/')).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'blocked_address' },
  });
});

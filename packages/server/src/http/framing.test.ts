import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from './agent.js';
import { createFetch } from './fetch.js';
import { createSend, type HttpRequest } from './send-http.js';

const connector = 'calendar';
const OK = 'HTTP/1.1 200 OK\r\n';
const SOUND = `${OK}content-length: 3\r\n\r\nabc`;
const CHUNKS = '3\r\nabc\r\n0\r\n\r\n';
const chunked = (head: string, chunks = CHUNKS) => `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${chunks}`;

type Play = (socket: Socket) => void;

/**
 * Starts an upstream that speaks raw TCP. If `play` is a string, the upstream sends it after each chunk it receives. If
 * `play` is a function, it gets each new socket.
 */
async function start(play: Play | string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (typeof play === 'string') socket.on('data', () => socket.write(play, 'latin1'));
    else play(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Uses long timeouts, so that a connection closes only because of the framing of a response.
  const agent = createAgent({ allowedOrigins: [{ connector, origin }], keepAliveMs: 600_000 });
  onTestFinished(async () => {
    await agent.destroy();
    server.close();
  });
  const send = createSend(agent);
  const request = {
    owner: 'app_1',
    connector,
    origin,
    path: '/',
    method: 'GET',
    headers: [],
    totalMs: 600_000,
  };
  const begin = (own: Partial<HttpRequest> = {}) => send({ ...request, ...own });
  const call = async (own: Partial<HttpRequest> = {}) => {
    const { status, body } = await begin(own);
    const reply = { status, text: await text(body.stream()) };
    // Waits one turn of the event loop, because the HTTP client releases a connection only one turn after its response
    // has ended.
    await nextTurn();
    return reply;
  };
  return { sockets, begin, call, fetch: createFetch(agent), origin };
}

/** Resolves when the first connection that the upstream accepted has closed. */
async function closing(sockets: readonly Socket[]): Promise<void> {
  const [socket] = sockets;
  if (socket === undefined) throw new Error('There was no connection.');
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

test.each([
  { title: 'a length', bytes: SOUND },
  { title: 'chunks', bytes: chunked('transfer-encoding: chunked') },
  { title: 'chunks in another case', bytes: chunked('Transfer-Encoding: CHUNKED') },
  { title: 'chunks with trailers', bytes: chunked('transfer-encoding: chunked', '0\r\nx: y\r\n\r\n') },
  { title: 'a 204', bytes: 'HTTP/1.1 204 No Content\r\n\r\n' },
  { title: 'a 304', bytes: 'HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n' },
])('P11: a connection is reused after a response that ends by $title', async ({ bytes }) => {
  const { sockets, call } = await start(bytes);
  expect((await call()).status).toBe((await call({ method: 'POST', body: Buffer.from('x') })).status);
  await call();
  expect(sockets).toHaveLength(1);
});

test('P11: a connection is reused after a response that arrives byte by byte', async () => {
  const { sockets, call } = await start((socket) => {
    socket.setNoDelay(true).on('data', async () => {
      for (const byte of chunked('transfer-encoding: chunked')) {
        socket.write(byte);
        await nextTurn();
      }
    });
  });
  expect([(await call()).text, (await call()).text]).toEqual(['abc', 'abc']);
  expect(sockets).toHaveLength(1);
});

test.each([
  { title: 'has connection: close', bytes: `${OK}connection: close\r\ncontent-length: 3\r\n\r\nabc` },
  {
    title: 'has close in a list of connection options',
    bytes: `${OK}connection: x, Close\r\ncontent-length: 3\r\n\r\nabc`,
  },
  {
    title: 'has HTTP/1.0',
    bytes: 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 3\r\n\r\nabc',
  },
  {
    title: 'has HTTP/0.9',
    bytes: 'HTTP/0.9 200 OK\r\nconnection: keep-alive\r\ncontent-length: 3\r\n\r\nabc',
  },
  {
    title: 'has HTTP/2.0',
    bytes: 'HTTP/2.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 3\r\n\r\nabc',
  },
  { title: 'begins with empty lines', bytes: `\r\n\r\n${SOUND}` },
  { title: 'follows an interim response', bytes: `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${SOUND}` },
  { title: 'has bytes after its end', bytes: `${SOUND}d` },
  { title: 'is followed by another response', bytes: SOUND + SOUND },
  { title: 'has bytes after its chunks', bytes: `${chunked('transfer-encoding: chunked')}0` },
  { title: 'has status 204 and a length', bytes: 'HTTP/1.1 204 No Content\r\ncontent-length: 3\r\n\r\nabc' },
  {
    title: 'has status 204 and chunks',
    bytes: `HTTP/1.1 204 x\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  { title: 'has status 304 and a body', bytes: 'HTTP/1.1 304 x\r\ncontent-length: 3\r\n\r\nabc' },
])('P11: a connection is not reused after a response that $title', async ({ bytes }) => {
  const { sockets, call } = await start(bytes);
  expect((await call()).text).toMatch(/^(abc)?$/);
  await closing(sockets);
  await call();
  expect(sockets).toHaveLength(2);
});

test.each([
  { title: 'an unsolicited response', late: SOUND },
  { title: 'empty lines', late: '\r\n\r\n' },
])('P11: an idle connection is not reused after $title', async ({ late }) => {
  const { sockets, call } = await start(SOUND);
  expect((await call()).text).toBe('abc');
  sockets[0]?.write(late);
  await closing(sockets);
  expect((await call()).text).toBe('abc');
  expect(sockets).toHaveLength(2);
});

test.each([
  { title: 'a streamed body', body: () => new Readable({ read: () => undefined }) },
  { title: 'a buffered body', body: () => Buffer.alloc(64 * 1024 * 1024) },
])('P11: a connection is not reused after a response that precedes the end of $title', async ({ body }) => {
  const { sockets, call } = await start((socket) => {
    socket.once('data', () => socket.pause().write(SOUND));
  });
  const sent = body();
  if (sent instanceof Readable) sent.push('begun');
  expect((await call({ method: 'POST', body: sent })).text).toBe('abc');
  sockets[0]?.resume();
  await closing(sockets);
  await call();
  expect(sockets).toHaveLength(2);
});

test('P11: a connection is not reused when the response began before the end of the body', async () => {
  const { sockets, begin } = await start((socket) => {
    socket.once('data', () => socket.write(`${OK}content-length: 3\r\n\r\n`));
    socket.on('data', (chunk) => String(chunk).endsWith('0\r\n\r\n') && socket.write('abc'));
  });
  const body = new Readable({ read: () => undefined });
  body.push('begun');
  const { body: stream } = await begin({ method: 'POST', body });
  body.push(null);
  expect(await text(stream.stream())).toBe('abc');
  await closing(sockets);
});

const coded = (coding: string, body = CHUNKS) => ({
  title: `the transfer coding "${coding.replaceAll('\r\ntransfer-encoding:', ' and')}"`,
  bytes: chunked(`transfer-encoding: ${coding}`, body),
});

test.each([
  coded('gzip, chunked'),
  coded('identity', 'abc'),
  coded('chunked, chunked'),
  coded('chunked\r\ntransfer-encoding: chunked'),
  coded('gzip\r\ntransfer-encoding: chunked'),
  coded('chunked, gzip'),
  coded('chunked, identity'),
  coded('gzip', 'abc'),
  coded('xchunked', 'abc'),
  coded('chunked;q=1'),
  coded(', chunked'),
  coded('', 'abc'),
  coded('\x0bchunked'),
  coded('chunked\r\ncontent-length: 3'),
  {
    title: 'chunks of HTTP/1.0',
    bytes: `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n${CHUNKS}`,
  },
  { title: 'a folded coding', bytes: chunked('transfer-encoding:\r\n chunked') },
  { title: 'a space before the colon', bytes: chunked('transfer-encoding : chunked') },
  { title: 'a length and a coding', bytes: chunked('content-length: 3\r\ntransfer-encoding: chunked') },
  { title: 'the same length twice', bytes: `${OK}content-length: 3\r\ncontent-length: 3\r\n\r\nabc` },
  { title: 'a list of lengths', bytes: `${OK}content-length: 3, 3\r\n\r\nabc` },
  { title: 'a length with a sign', bytes: `${OK}content-length: +3\r\n\r\nabc` },
  { title: 'a negative length', bytes: `${OK}content-length: -3\r\n\r\nabc` },
  { title: 'a hexadecimal length', bytes: `${OK}content-length: 0x3\r\n\r\nabc` },
  { title: 'an empty length', bytes: `${OK}content-length:\r\n\r\nabc` },
  { title: 'a length beyond the number range', bytes: `${OK}content-length: ${'9'.repeat(25)}\r\n\r\nabc` },
  { title: 'lines without CR', bytes: SOUND.replaceAll('\r', '') },
  { title: 'a switch of protocols', bytes: `HTTP/1.1 101 Switching Protocols\r\n\r\n${SOUND}` },
  { title: 'a status below 100', bytes: 'HTTP/1.1 099 x\r\ncontent-length: 3\r\n\r\nabc' },
  {
    title: 'an interim response with chunks',
    bytes: `HTTP/1.1 103 x\r\ntransfer-encoding: chunked\r\n\r\n${SOUND}`,
  },
  {
    title: 'an interim response with a length',
    bytes: `HTTP/1.1 103 x\r\ncontent-length: 3\r\n\r\nabc${SOUND}`,
  },
])('P11: a response with $title is refused, and its connection is closed', async ({ bytes }) => {
  const { sockets, call } = await start(bytes);
  await expect(call()).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'invalid_response' },
  });
  await closing(sockets);
});

const endless =
  (piece: string): Play =>
  (socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', write).once('data', write);
  };

test.each([
  { title: 'one header', play: endless('HTTP/1.1 200 OK\r\nx: '.padEnd(66_000, 'y')) },
  { title: 'an endless first line', play: endless('HTTP/1.1 200 '.padEnd(4096, 'x')) },
  { title: 'many headers', play: endless(OK + 'a:\r\n'.repeat(40_000)) },
  { title: 'endless interim responses', play: endless('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n') },
  { title: 'endless empty lines', play: endless('\r\n'.repeat(1024)) },
])(
  'P11: more than 64 KiB before a body, in $title, is refused, and the connection is closed',
  async ({ play }) => {
    const { sockets, call } = await start(play);
    await expect(call()).rejects.toMatchObject({
      code: 'connection_failed',
      details: { reason: 'headers_too_large' },
    });
    await closing(sockets);
  },
);

test.each([
  { title: 'a chunk with a negative size', chunks: '-3\r\nabc\r\n0\r\n\r\n' },
  { title: 'a chunk with a hexadecimal prefix', chunks: '0x3\r\nabc\r\n0\r\n\r\n' },
  { title: 'a chunk size beyond the number range', chunks: 'fffffffffffffffff\r\nabc\r\n0\r\n\r\n' },
  { title: 'a chunk longer than its size', chunks: '3\r\nabcd\r\n0\r\n\r\n' },
  { title: 'chunks without CR', chunks: '3\nabc\n0\n\n' },
  { title: 'a length after the chunks', chunks: '3\r\nabc\r\n0\r\ncontent-length: 9\r\n\r\n' },
])('P11: a body is aborted at $title, and its connection is closed', async ({ chunks }) => {
  const { sockets, call } = await start(chunked('transfer-encoding: chunked', chunks));
  await expect(call()).rejects.toMatchObject({ details: { reason: 'invalid_response' } });
  await closing(sockets);
});

test('P11: token and document requests share no connection with calls and refuse the same responses', async () => {
  const { sockets, call, fetch, origin } = await start(SOUND);
  await call();
  for (const _ of [1, 2]) expect(await (await fetch(origin, { connector })).text()).toBe('abc');
  await call();
  expect(sockets).toHaveLength(3);
  const coded = await start(chunked('transfer-encoding: gzip, chunked'));
  await expect(coded.fetch(coded.origin, { connector })).rejects.toMatchObject({
    details: { reason: 'invalid_response' },
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { createAgent } from './agent.js';
import { createSend } from './send-http.js';

const connector = 'calendar';

/** Starts an upstream that calls `onBody` when the first bytes of a request body arrive. */
async function listen(onBody: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      if (received.includes('\r\n\r\n') && received.endsWith('begun')) onBody(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface PostOptions {
  readonly length?: number | undefined;
  readonly plainRuntime?: boolean;
}

/**
 * Posts a body in two parts through the HTTP client. The upstream responds and resets the connection before the client
 * writes the second part.
 */
async function post(bytes: string, { length, plainRuntime = false }: PostOptions = {}) {
  const body = new Readable({ read: () => undefined });
  const origin = await listen((socket) => {
    socket.write(bytes);
    socket.resetAndDestroy();
    body.push('rest');
  });
  const agent = createAgent({
    allowedOrigins: [{ connector, origin }],
    headersTimeoutMs: 2_000,
    plainRuntime,
  });
  onTestFinished(() => agent.destroy());
  body.push('begun');
  const headers = length === undefined ? [] : ['content-length', String(length)];
  const sent = createSend(agent)({
    ...{ owner: 'app_1', connector, origin, path: '/', method: 'POST', headers, body },
    totalMs: 5_000,
  });
  return { body, sent };
}

const TOO_LARGE = 'HTTP/1.1 413 Content Too Large\r\nconnection: close\r\n';

test.each([
  { title: 'a length', bytes: `${TOO_LARGE}content-length: 9\r\n\r\ntoo large` },
  { title: 'chunks', bytes: `${TOO_LARGE}transfer-encoding: chunked\r\n\r\n9\r\ntoo large\r\n0\r\n\r\n` },
  {
    title: 'a length without connection: close',
    bytes: 'HTTP/1.1 413 X\r\ncontent-length: 9\r\n\r\ntoo large',
  },
])('P11: a refusal with $title is read although the upstream resets the connection', async ({ bytes }) => {
  for (const length of [undefined, 1_000_000]) {
    const { body, sent } = await post(bytes, { length });
    const reply = await sent;
    expect([reply.status, await text(reply.body.stream())]).toEqual([413, 'too large']);
    // Waits until the HTTP client destroys the request body, because otherwise the test would continue to send it.
    if (!body.destroyed) await once(body, 'close');
  }
});

test.each([
  { title: 'that has no end', bytes: `${TOO_LARGE}\r\ntoo lar` },
  { title: 'that is truncated', bytes: `${TOO_LARGE}content-length: 9\r\n\r\ntoo lar` },
  {
    title: 'whose chunks are truncated',
    bytes: `${TOO_LARGE}transfer-encoding: chunked\r\n\r\n9\r\ntoo lar`,
  },
])('P11: a response $title is not complete because of a reset', async ({ bytes }) => {
  const reply = await (await post(bytes)).sent;
  expect(reply.status).toBe(413);
  await expect(text(reply.body.stream())).rejects.toMatchObject({ code: 'connection_failed' });
});

test.each([
  { title: 'that is complete', bytes: `${TOO_LARGE}content-length: 9\r\n\r\ntoo large` },
  { title: 'that has no end', bytes: `${TOO_LARGE}\r\ntoo lar` },
])('P11: a response $title before a reset is a failed connection in a plain runtime', async ({ bytes }) => {
  const { body, sent } = await post(bytes, { plainRuntime: true });
  await expect(sent).rejects.toMatchObject({ code: 'connection_failed', details: { reason: 'closed' } });
  expect(body.destroyed).toBe(true);
});

test('an upstream that resets without a response fails at once', TIMED, async () => {
  const { body, sent } = await post('');
  const began = performance.now();
  await expect(sent).rejects.toMatchObject({ code: 'connection_failed', details: { reason: 'closed' } });
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(body.destroyed).toBe(true);
});

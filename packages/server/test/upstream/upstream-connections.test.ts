import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BeforeUpstream, PROXY_PATH, startBefore } from '../support/upstreams/start-before.js';

const responseOf = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Connections that the upstream accepted, oldest first. */
const sockets: Socket[] = [];
/** Responses of the upstream to the first, second and later requests on a connection. */
let script: readonly string[] = [];
let before: BeforeUpstream;

const upstream = createServer((socket) => {
  const left = [...script];
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', () => socket.write(left.shift() ?? responseOf('nothing left')));
});

beforeAll(async () => {
  before = await startBefore(upstream);
});
afterAll(() => before.stop());
beforeEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

test('P11: a smuggled response to one application never reaches another', async () => {
  // Simulates request smuggling: the upstream takes the body for a second request, and responds to it at the next
  // request.
  script = [responseOf('first'), responseOf('for the hidden request of the first application')];
  const hidden = 'GET /secret HTTP/1.1\r\nhost: x\r\n\r\n';

  const mine = await before.first.call('POST', `${PROXY_PATH}/v1/x`, { body: hidden });
  script = [responseOf('second')];
  const other = await before.second.call('GET', `${PROXY_PATH}/v1/y`);

  expect([mine.text, other.text]).toEqual(['first', 'second']);
  expect(sockets).toHaveLength(2);
});

import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BeforeUpstream, PROXY_PATH, startBefore } from './support/start-before.js';

const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Connections to the upstream, in order. */
const sockets: Socket[] = [];
/** Reactions of the upstream to the first request on a connection, to the second, and so on. */
let turns: readonly string[] = [];
let before: BeforeUpstream;

const upstream = createServer((socket) => {
  const left = [...turns];
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', () => socket.write(left.shift() ?? answer('nothing left')));
});

beforeAll(async () => {
  before = await startBefore(upstream);
});
afterAll(() => before.stop());
beforeEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

test('P11: an answer that belongs to one application never reaches another', async () => {
  // An upstream that takes a body for the next request: that one is answered when it next looks.
  turns = [answer('first'), answer('for the hidden request of the first application')];
  const hidden = 'GET /secret HTTP/1.1\r\nhost: x\r\n\r\n';

  const mine = await before.first.call('POST', `${PROXY_PATH}/v1/x`, { body: hidden });
  turns = [answer('second')];
  const other = await before.second.call('GET', `${PROXY_PATH}/v1/y`);

  expect([mine.text, other.text]).toEqual(['first', 'second']);
  expect(sockets).toHaveLength(2);
});

import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { closeAll, listen, startProxy } from '../../test/support/upstreams/start-proxy.js';

// Uses one kept-alive connection, so that the client must send the rest of the body before its next request.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(async () => {
  agent.destroy();
  await closeAll();
});

const TOO_LARGE = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 9\r\n\r\ntoo large';
const SIZE = 16 * 1024 * 1024;

/**
 * Starts an upstream that responds with 413 after the first chunk of a request body, stops reading, and then calls
 * `end`.
 */
const refuse = (end: (socket: Socket) => void): Promise<number> =>
  listen(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.pause();
        socket.write(TOO_LARGE);
        end(socket);
      });
    }),
  );

test.each([
  { title: 'resets', end: (socket: Socket) => void socket.resetAndDestroy() },
  {
    title: 'resets after 20 ms',
    end: (socket: Socket) => void setTimeout(() => socket.resetAndDestroy(), 20),
  },
  { title: 'closes', end: (socket: Socket) => void socket.destroy() },
  { title: 'waits', end: () => undefined },
])('P10: the response of an upstream that refuses a body and $title reaches the caller', async ({ end }) => {
  const { port, executions } = await startProxy(await refuse(end));
  // Uses one kept-alive connection, so that the client must send the rest of the body before its next request.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = 0; round < 5; round += 1) {
    const request = httpRequest({
      ...{ port, host: '127.0.0.1', path: '/v1/proxy/conn/user_42/v1/x', method: 'PUT', agent },
      headers: { authorization: 'Bearer app_1', 'content-length': SIZE },
    });
    request.end(Buffer.alloc(SIZE));
    const [[reply]] = await Promise.all([
      once(request, 'response') as Promise<[IncomingMessage]>,
      once(request, 'finish'),
    ]);
    expect([reply.statusCode, await text(reply)]).toEqual([413, 'too large']);
  }
  agent.destroy();
  expect(executions.map(({ status, errorCode }) => [status, errorCode])).toEqual(
    Array.from({ length: 5 }, () => [413, null]),
  );
});

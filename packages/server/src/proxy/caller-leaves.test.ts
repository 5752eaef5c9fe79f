import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { call, closeAll, start } from '../../test/support/upstreams/start-proxy.js';
import { createBodyMemory } from '../concurrency/body-memory.js';

const HEAD = 'host: x\r\nauthorization: Bearer app_1\r\n';

afterEach(closeAll);

test.each([
  { title: 'before the response', begin: false },
  { title: 'in the middle of the response', begin: true },
])(
  'P10: the upstream socket is freed within 1 s when the caller disconnects $title',
  TIMED,
  async ({ begin }) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const { port } = await start((request, reply) => {
      request.socket.on('close', () => resolve());
      if (begin) reply.write('begun');
      arrive();
    });
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /v1/proxy/conn/user/v1 HTTP/1.1\r\n${HEAD}\r\n`);
    await arrived;
    const closedAt = performance.now();
    socket.destroy();
    await closed;
    expect(performance.now() - closedAt).toBeLessThan(1000);
  },
);

test('P10: the upstream socket is freed within 1 s when the caller aborts an upload', TIMED, async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { port } = await start((request) => {
    request.once('data', () => arrive());
    request.once('close', () => resolve());
  });
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST /v1/proxy/conn/user/v1 HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
  );
  await arrived;
  const closedAt = performance.now();
  socket.destroy();
  await closed;
  expect(performance.now() - closedAt).toBeLessThan(1000);
});

/**
 * Creates a step of the service that lasts until the test calls `allow`. `begun` resolves when a proxied call reaches
 * the step.
 */
function createStep() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  const step = () => {
    begin();
    return allowed;
  };
  return { begun, allow, step };
}

/**
 * Sends a request to the proxy, and closes the caller's connection while the service is in the step. Then lets the step
 * end.
 */
async function leaveDuring(
  { begun, allow }: ReturnType<typeof createStep>,
  { port, countCallers }: Awaited<ReturnType<typeof start>>,
  request: string,
) {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  await begun;
  socket.destroy();
  await expect.poll(() => countCallers()).toBe(0);
  allow();
}

test('a call is recorded when its caller disconnects during the credential renewal', async () => {
  const renewing = createStep();
  const proxy = await start((_, reply) => reply.writeHead(401).end(), { renews: renewing.step });
  await leaveDuring(renewing, proxy, `GET /v1/proxy/conn/user/v1 HTTP/1.1\r\n${HEAD}\r\n`);
  await expect.poll(() => proxy.executions).toMatchObject([{ errorCode: 'connection_failed' }]);
});

test('a call releases its slot and memory when the caller disconnects before the account is resolved', async () => {
  const memory = createBodyMemory(2000);
  const looking = createStep();
  const proxy = await start((_, reply) => reply.end('ok'), {
    memory,
    looksUp: looking.step,
    limiter: { concurrency: 1, queue: 0 },
  });
  const upload = `PUT /v1/proxy/conn/user/v1 HTTP/1.1\r\n${HEAD}content-length: 900\r\n\r\nfirst`;
  await leaveDuring(looking, proxy, upload);
  await expect.poll(() => proxy.executions).toMatchObject([{ errorCode: 'invalid_request' }]);
  expect(memory.open('app_1').tryTake(1000)).toBe(true);
  const reply = await call(proxy.port);
  expect([reply.statusCode, await text(reply)]).toEqual([200, 'ok']);
});

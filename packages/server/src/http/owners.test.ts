import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type AgentOptions, createAgent } from './agent.js';
import { createSend } from './send-http.js';

const connector = 'calendar';

/**
 * Starts an upstream that responds immediately. With `isPaused`, it puts its responses into `waiting`, and the test
 * ends them.
 */
async function start(options: AgentOptions = {}, isPaused = false) {
  const sockets: Socket[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((_, reply) => {
    if (isPaused) waiting.push(reply);
    else reply.end('abc');
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = createAgent({ allowedOrigins: [{ connector, origin }], ...options });
  onTestFinished(async () => {
    await agent.destroy();
    server.close();
  });
  const send = createSend(agent);
  const request = { connector, origin, path: '/', method: 'GET', headers: [], totalMs: 600_000 };
  const call = async (owner: string) => {
    const { body } = await send({ owner, ...request });
    const reply = await text(body.stream());
    await nextTurn();
    return reply;
  };
  const arrived = (count: number) => expect.poll(() => waiting.length).toBe(count);
  return { sockets, waiting, arrived, call, agent };
}

const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (socket === undefined || socket.closed) resolve();
    else socket.once('close', () => resolve());
  });

test('P11: applications share no connection, and each reuses its own', async () => {
  const { sockets, call } = await start();
  for (const application of ['app_1', 'app_2', 'app_1', 'app_2']) await call(application);
  expect(sockets).toHaveLength(2);
});

test('an application has a limited number of connections per origin, and further requests wait', async () => {
  const { sockets, waiting, arrived, call } = await start({ mostConnections: 2 }, true);
  const calls = [1, 2, 3].map(() => call('app_1'));
  await arrived(2);
  const other = call('app_2');
  await arrived(3);
  expect(sockets).toHaveLength(3);
  for (const reply of waiting.splice(0)) reply.end('abc');
  await arrived(1);
  waiting[0]?.end('abc');
  expect(await Promise.all([...calls, other])).toEqual(['abc', 'abc', 'abc', 'abc']);
  expect(sockets).toHaveLength(3);
});

test('the least recently used application is evicted, and its running requests finish', async () => {
  const { sockets, waiting, arrived, call } = await start({ mostOwners: 2, keepAliveMs: 600_000 }, true);
  const first = call('app_1');
  await arrived(1);
  const others = [call('app_2'), call('app_3')];
  await arrived(3);
  for (const reply of waiting) reply.end('abc');
  expect(await Promise.all([first, ...others])).toEqual(['abc', 'abc', 'abc']);
  await closed(sockets[0]);
  expect(sockets.map((socket) => socket.closed)).toEqual([true, false, false]);
});

test('an idle connection is closed at the timeout of the service', async () => {
  const { sockets, call } = await start({ keepAliveMs: 50 });
  await call('app_1');
  await closed(sockets[0]);
  await call('app_1');
  expect(sockets).toHaveLength(2);
});

test('closing waits for running requests, including those of evicted applications', async () => {
  const { waiting, arrived, call, agent } = await start({ mostOwners: 1 }, true);
  const calls = [call('app_1'), call('app_2')];
  await arrived(2);
  let isClosed = false;
  const closing = agent.close().then(() => {
    isClosed = true;
  });
  waiting[1]?.end('abc');
  await calls[1];
  expect(isClosed).toBe(false);
  waiting[0]?.end('abc');
  expect(await Promise.all(calls)).toEqual(['abc', 'abc']);
  await closing;
});

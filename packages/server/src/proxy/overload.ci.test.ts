import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { TIMED } from '../../test/support/processes/cpu-of.js';
import { rounds } from '../../test/support/runner/rounds.js';
import { call, closeAll, listen, startProxy } from '../../test/support/upstreams/start-proxy.js';

afterEach(closeAll);

const to = (connection: string, identifier = 'user_42') => `/v1/proxy/${connection}/${identifier}/v1/x`;

interface Reply {
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly code: unknown;
}

async function send(port: number, path: string, application = 'app_1'): Promise<Reply> {
  const reply = await call(port, { path, application });
  const { 'retry-after': retryAfter, 'svc-error': code } = reply.headers;
  reply.resume();
  await once(reply, 'close');
  return { status: reply.statusCode, retryAfter, code };
}

const REFUSED = { status: 503, retryAfter: '1', code: 'unavailable' };
const OPEN = { status: 503, retryAfter: '5', code: 'unavailable' };
// Limiter settings that let calls wait for 60 s, so that queued calls do not time out on a busy machine.
const PATIENT = { waitMs: 60_000 };
const WAIT = { timeout: 20_000, interval: 2 };
const times = <Result>(count: number, work: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Creates an upstream that sends no response until the test calls `respondToAll`. */
function createHolding() {
  const waiting: ServerResponse[] = [];
  const seen = { most: 0, all: 0 };
  const server = createServer((_, reply) => {
    waiting.push(reply);
    seen.all += 1;
    seen.most = Math.max(seen.most, waiting.length);
    reply.once('close', () => waiting.includes(reply) && waiting.splice(waiting.indexOf(reply), 1));
  });
  const arrived = (count: number) => vi.waitFor(() => expect(waiting).toHaveLength(count), WAIT);
  const respondToAll = () => {
    for (const reply of waiting.splice(0)) reply.end('ok');
  };
  return { server, waiting, seen, arrived, respondToAll };
}

/** Returns a list of the calls' responses, in the order in which they arrive. The list grows with each one. */
function follow(calls: readonly Promise<Reply>[]): readonly Reply[] {
  const ended: Reply[] = [];
  for (const call of calls) void call.then((reply) => ended.push(reply));
  return ended;
}

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const received = (ended: readonly Reply[], count: number) =>
  vi.waitFor(() => expect(ended.length).toBeGreaterThanOrEqual(count), WAIT);

test('F5: 100 calls of a blocked connection run, 200 wait, and the rest get 503', TIMED, async () => {
  const upstream = createHolding();
  const { port } = await startProxy(await listen(upstream.server), {
    limiter: PATIENT,
  });
  const calls = times(320, (index) => send(port, to('busy', `user_${index % 7}`)));
  const ended = follow(calls);
  await received(ended, 20);
  await upstream.arrived(100);
  const tookMs: number[] = [];
  for (let index = 0; index < 21; index += 1) {
    const began = performance.now();
    expect(await send(port, to('busy'))).toEqual(REFUSED);
    tookMs.push(performance.now() - began);
  }
  expect(ended).toEqual(Array(20).fill(REFUSED));
  expect(tookMs.toSorted((one, other) => one - other)[10]).toBeLessThan(50);
  while (ended.length < 320) {
    upstream.respondToAll();
    await tick();
  }
  expect(ended.slice(20).map(({ status }) => status)).toEqual(Array(300).fill(200));
  expect(upstream.seen).toMatchObject({ most: 100, all: 300 });
});

test('F5: an application with many connections leaves capacity to others', async () => {
  const upstream = createHolding();
  const limiter = { ...PATIENT, slots: 40, waiting: 80 };
  const { port } = await startProxy(await listen(upstream.server), { limiter });
  const greedy = follow(times(200, (index) => send(port, to(`greedy_${index}`))));
  await received(greedy, 140);
  await upstream.arrived(20);
  const modest = follow([send(port, to('modest'), 'app_2')]);
  await upstream.arrived(21);
  while (modest.length < 1 || greedy.length < 200) {
    upstream.respondToAll();
    await tick();
  }
  expect(modest).toMatchObject([{ status: 200 }]);
  expect(greedy.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(greedy.slice(0, 140)).toEqual(Array(140).fill(REFUSED));
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function waitingBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('F5: goodput stays above 80 % of the peak at 5 times capacity, with constant memory', async () => {
  const upstream = createHolding();
  const limiter = { ...PATIENT, concurrency: 50, queue: 100 };
  const { port } = await startProxy(await listen(upstream.server), { limiter });
  const [peak, count] = [50, rounds(300, 9)];
  let [served, refused, isOver] = [0, 0, false];
  let nextRound = Promise.withResolvers<void>();
  const callAgain = async (index: number) => {
    while (!isOver) {
      const { status } = await send(port, to('busy', `user_${index % 7}`));
      if (status === 200) served += 1;
      else {
        refused += 1;
        await nextRound.promise;
      }
    }
  };
  const callers = times(5 * peak, callAgain);
  const goodput: number[] = [];
  const bytes: number[] = [];
  for (let round = 0; round < count; round += 1) {
    // Waits until the service is overloaded: `peak` calls run, twice as many wait, and the service has refused all
    // others.
    await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(2 * peak), WAIT);
    bytes.push(waitingBytes());
    goodput.push(upstream.waiting.length);
    refused = 0;
    upstream.respondToAll();
    nextRound.resolve();
    nextRound = Promise.withResolvers();
  }
  isOver = true;
  const ended = Promise.all(callers).then(() => true);
  while (!(await Promise.race([ended, tick()]))) {
    upstream.respondToAll();
    nextRound.resolve();
  }
  expect(Math.min(...goodput)).toBeGreaterThanOrEqual(0.8 * peak);
  expect(served).toBeGreaterThanOrEqual(0.8 * peak * count);
  expect(upstream.seen.most).toBe(peak);
  const third = Math.floor(count / 3);
  const grown = Math.min(...bytes.slice(-third)) - Math.min(...bytes.slice(third, 2 * third));
  expect(grown).toBeLessThan(2 * 1024 * 1024);
});

test('F4: the circuit breaker opens when half of 20 calls fail, and lets one trial through after 5 s', async () => {
  let [time, status, seen] = [0, 503, 0];
  const port = await listen(
    createServer((_, reply) => {
      seen += 1;
      reply.writeHead(status).end();
    }),
  );
  const { port: proxy, executions } = await startProxy(port, { now: () => time });
  const from = (connection: string) => send(proxy, to(connection));
  for (let index = 0; index < 20; index += 1) {
    expect(await from('broken')).toEqual({ status: 503, retryAfter: undefined, code: undefined });
  }
  expect(await Promise.all(times(20, () => from('broken')))).toEqual(Array(20).fill(OPEN));
  expect(seen).toBe(20);
  expect(executions.at(-1)).toMatchObject({ status: 503, errorCode: 'unavailable', upstreamStatus: null });
  // Expects a success, because the second connection has its own circuit breaker and its calls still reach the
  // upstream.
  status = 200;
  expect(await from('sound')).toMatchObject({ status: 200 });
  time += 5000;
  expect(await from('broken')).toMatchObject({ status: 200 });
  expect(await from('broken')).toMatchObject({ status: 200 });
});

test('F4: the circuit breaker opens for an unreachable upstream', async () => {
  const port = await listen(createServer());
  const closed = createServer();
  const { port: proxy } = await startProxy(port, { upstreams: { closed: await listen(closed) } });
  closed.close();
  const codes: unknown[] = [];
  for (let index = 0; index < 25; index += 1) codes.push((await send(proxy, to('closed'))).code);
  expect(codes).toEqual([...Array(20).fill('connection_failed'), ...Array(5).fill('unavailable')]);
});

test('F4: calls of disconnected callers do not open the circuit breaker', async () => {
  const upstream = createHolding();
  const { port } = await startProxy(await listen(upstream.server));
  const calls = times(25, () => {
    const abort = new AbortController();
    const headers = { authorization: 'Bearer app_1' };
    const call = fetch(`http://127.0.0.1:${port}${to('slow')}`, { headers, signal: abort.signal }).catch(
      () => undefined,
    );
    return { abort, call };
  });
  await upstream.arrived(25);
  for (const { abort } of calls) abort.abort();
  await upstream.arrived(0);
  const next = follow([send(port, to('slow'))]);
  await upstream.arrived(1);
  upstream.respondToAll();
  await received(next, 1);
  expect(next).toMatchObject([{ status: 200 }]);
});

/**
 * Returns the CPU time of `count` proxied calls in milliseconds. It includes the CPU time of the test's caller and
 * upstream, because they run in the same process.
 */
async function costOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('F4: calls to a dead upstream do not delay calls to other upstreams', TIMED, async () => {
  const dead = createHolding();
  const sound = await listen(createServer((_, reply) => reply.end('ok')));
  const upstreams = { dead: await listen(dead.server) };
  const { port } = await startProxy(sound, { upstreams, limiter: PATIENT });
  const stuck = follow(times(300, (index) => send(port, to('dead', `user_${index % 7}`))));
  await dead.arrived(100);
  // Expects calls to a healthy upstream to succeed while all calls to the dead upstream hang.
  for (let index = 0; index < 20; index += 1)
    expect(await send(port, to('sound'))).toMatchObject({ status: 200 });
  expect(stuck).toEqual([]);
  // Fails each call that was queued before the circuit breaker opened, because it is still sent to the dead upstream.
  while (stuck.length < 300) {
    for (const reply of dead.waiting.splice(0)) reply.destroy();
    await tick();
  }
  expect(await send(port, to('dead'))).toEqual(OPEN);
  const ratios: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const served = await costOf(60, () => send(port, to('sound')));
    ratios.push((await costOf(60, () => send(port, to('dead')))) / served);
  }
  expect(Math.min(...ratios)).toBeLessThan(0.9);
});

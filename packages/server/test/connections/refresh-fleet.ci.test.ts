import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Fleet, startFleet } from '../support/processes/fleet.js';
import { rounds } from '../support/runner/rounds.js';
import { fetchReply, type Reply } from '../support/service/application.js';

const CALLERS = 250;
// Pause in ms. It exceeds the timeout of the token request (10 s), and in full runs also that of the HTTP client (30
// s).
const PAUSE_MS = rounds(60_000, 12_000);
// Other processes wait 25 s for the result of a refresh. Then they respond with 503 and `Retry-After`.
const WAIT_MS = 25_000;

const repeated = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

/** Counts responses: successful ones as `200`, errors by their body. */
const tally = (replies: readonly Reply[]): Record<string, number> =>
  Object.fromEntries(
    [
      ...Map.groupBy(replies, ({ status, text }) =>
        status === 200 ? '200' : text.replace(/"requestId.*/, ''),
      ),
    ].map(([kind, same]) => [kind, same.length]),
  );

test('R1: 250 callers on each of 4 processes cause one token request, and all get their responses', async () => {
  const { sandbox, services, connect, call, refreshes, statusOf } = await startFleet({ count: 4 });
  const accountId = await connect('ada');
  for (let round = 1; round <= rounds(100); round += 1) {
    await sandbox.expireTokens('workspace');
    const replies = await Promise.all(
      services.map((service) => repeated(CALLERS, () => call(service, 'ada'))),
    );
    expect(tally(replies.flat())).toEqual({ 200: CALLERS * services.length });
    expect(refreshes()).toBe(round);
  }
  expect(await statusOf(accountId)).toMatchObject({ status: 'authorized' });
}, 900_000);

/** Stops a process in the middle of a token request, before it reads the response that has already arrived. */
async function pauseInExchange({ services: [holder], call, pauseTokens }: Fleet) {
  if (holder === undefined) throw new Error('There is no process.');
  const { paused, release } = pauseTokens('response');
  const calls = repeated(10, () => call(holder, 'ada'));
  await paused;
  // Checks readiness, because the response to this later request proves that the process has received all earlier
  // requests too.
  expect(await fetchReply(`${holder.url}/readyz`)).toMatchObject({ status: 200 });
  holder.signal('SIGSTOP');
  release();
  return { holder, calls };
}

test('R2: a process that pauses during a refresh loses no token, and no other process refreshes', async () => {
  const fleet = await startFleet({ count: 2 });
  const { sandbox, services, connect, call, refreshes, statusOf } = fleet;
  const accountId = await connect('ada');
  for (const service of services) expect(await call(service, 'ada')).toMatchObject({ status: 200 });
  await sandbox.expireTokens('workspace');
  const { holder, calls } = await pauseInExchange(fleet);
  const others = Promise.all(services.slice(1).map((service) => repeated(10, () => call(service, 'ada'))));
  await wait(PAUSE_MS);
  holder.signal('SIGCONT');
  expect(tally(await calls)).toEqual({ 200: 10 });
  for (const { status, headers } of (await others).flat())
    expect([status, headers.has('retry-after')]).toEqual(PAUSE_MS < WAIT_MS ? [200, false] : [503, true]);
  for (const service of services) expect(await call(service, 'ada')).toMatchObject({ status: 200 });
  expect(refreshes()).toBe(1);
  expect(await statusOf(accountId)).toMatchObject({ status: 'authorized' });
}, 180_000);

test('R3: callers that disconnect do not cancel the refresh', async () => {
  const { sandbox, services, connect, call, pauseTokens, refreshes } = await startFleet({ count: 1 });
  const [service] = services;
  if (service === undefined) throw new Error('There is no process.');
  await connect('ada');
  await sandbox.expireTokens('workspace');
  const { paused, release } = pauseTokens('response');
  const caller = new AbortController();
  const calls = Array.from({ length: 5 }, () =>
    expect(call(service, 'ada', caller.signal)).rejects.toThrow(),
  );
  await paused;
  caller.abort();
  await Promise.all(calls);
  release();
  expect(await call(service, 'ada')).toMatchObject({ status: 200 });
  expect(refreshes()).toBe(1);
}, 60_000);

test('R5: new tokens received while the database is unreachable are stored when it is back', async () => {
  const fleet = await startFleet({ count: 1 });
  const { sandbox, services, databaseGate, connect, call, pauseTokens, refreshes, statusOf, crash } = fleet;
  const accountId = await connect('ada');
  // Runs on PostgreSQL only. token-writer.test.ts covers a lost SQLite file.
  for (let round = 1; round <= (databaseGate ? rounds(100) : 0); round += 1) {
    const [service] = services;
    if (service === undefined) throw new Error('There is no process.');
    await sandbox.expireTokens('workspace');
    const { paused, release } = pauseTokens('response');
    const served = call(service, 'ada');
    await paused;
    databaseGate?.cut();
    release();
    expect(await served).toMatchObject({ status: 200 });
    if (round % 2 === 0) await service.kill();
    databaseGate?.mend();
    if (round % 2 === 0) await crash();
    const [running = service] = services;
    await expect.poll(async () => (await call(running, 'ada')).status, { timeout: 20_000 }).toBe(200);
    expect(refreshes()).toBe(round);
  }
  expect(await statusOf(accountId)).toMatchObject({ status: 'authorized' });
}, 900_000);

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type DatabaseGate, startDatabaseGate } from '../support/databases/database-gate.js';
import { newDatabaseUrl } from '../support/databases/test-database.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

const PAUSE_MS = rounds(5000, 1000);
const CALLS = 30;

let gate: DatabaseGate;
let service: Service;
let application: Application;
let accounts = 0;

const putAccount = (): Promise<Reply> => {
  accounts += 1;
  return application.call('PUT', `/v1/connections/workspace/accounts/user_${accounts}`);
};
const readyz = () => fetchReply(`${service.url}/readyz`);

/** Checks that `/readyz` returns 200 at once, and that 20 concurrent writes succeed. */
async function expectHealthy(): Promise<void> {
  expect((await readyz()).status).toBe(200);
  const replies = await Promise.all(Array.from({ length: 20 }, putAccount));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
}

describe.skipIf(inject('postgres') === undefined)('F6: a fault of PostgreSQL', () => {
  beforeAll(async () => {
    gate = await startDatabaseGate((await newDatabaseUrl()) ?? '');
    service = await startService({ connectors: ['workspace'], env: { DATABASE_URL: gate.url } });
    application = await signIn(service);
  });
  afterAll(async () => {
    gate.resume();
    await service.stop();
    await gate.stop();
  });

  test(`a pause of ${PAUSE_MS} ms: the service stays alive, and waiting calls finish`, async () => {
    gate.pause();
    const waiting = Promise.all(Array.from({ length: CALLS }, putAccount));
    const isReady = readyz();
    expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
    await wait(PAUSE_MS);
    gate.resume();
    for (const { status } of await waiting) expect([201, 503]).toContain(status);
    expect([200, 503]).toContain((await isReady).status);
    await expectHealthy();
  });

  test('a connection lost after a commit: the call gets 503, and the row exists', async () => {
    const paused = gate.pauseQueries('commit', 'outcome', 1);
    const cut = putAccount();
    await paused;
    gate.drop();
    expect((await cut).status).toBe(503);
    const again = await application.call('PUT', `/v1/connections/workspace/accounts/user_${accounts}`);
    expect(again.status).toBe(200);
    await expectHealthy();
  });

  test('a connection lost before a commit: the call gets 503, and the row does not exist', async () => {
    const paused = gate.pauseQueries('commit', 'query', 1);
    const cut = putAccount();
    await paused;
    gate.drop();
    expect((await cut).status).toBe(503);
    const again = await application.call('PUT', `/v1/connections/workspace/accounts/user_${accounts}`);
    expect(again.status).toBe(201);
    await expectHealthy();
  });

  test('a server that vanishes and is replaced: within 10 s every connection is a new one', async () => {
    await Promise.all(Array.from({ length: CALLS }, putAccount));
    gate.pause();
    const lost = Array.from({ length: CALLS }, putAccount);
    gate.abandon();
    for (const { status } of await Promise.all(lost)) expect([201, 503]).toContain(status);
    await expectHealthy();
  }, 120_000);
});

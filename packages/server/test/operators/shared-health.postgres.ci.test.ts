import { startSandbox } from '@svc/sandbox';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Problems } from '../../src/health/health.js';
import { startDatabaseGate } from '../support/databases/database-gate.js';
import { newEmptyDatabaseUrl } from '../support/databases/test-database.js';
import { newPort } from '../support/processes/new-port.js';
import { newDataFolder, startProcess } from '../support/processes/service-process.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';

const PASSWORD = 'password-of-the-test';
const SLOW_MS = 400;
// Every problem must appear and disappear within 10 s on every instance.
const SOON = { timeout: 10_000, interval: 250 };

interface Instance {
  readonly application: Application;
  readonly operator: SignedInOperator;
}

/** Starts two instances with one database. The second one uses it through a gate, which can make it slow. */
async function startTwo() {
  const sandbox = await startSandbox({ connectors: ['network'], rateLimits: false });
  onTestFinished(sandbox.stop);
  const databaseUrl = await newEmptyDatabaseUrl();
  const gate = await startDatabaseGate(databaseUrl);
  onTestFinished(gate.stop);
  const instances: Instance[] = [];
  for (const url of [databaseUrl, gate.url]) {
    const env = {
      DATABASE_URL: url,
      SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
      SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
      SVC_ALLOWED_ORIGINS: listForSandbox(sandbox),
      SVC_RATE_APPLICATION: '1000',
      SVC_RATE_ACCOUNT: '1000',
    };
    const shared = { clientId: 'app_test', clientSecret: 'secret-of-the-test' };
    const service = await startProcess({ ...shared, env, port: await newPort(), data: newDataFolder() });
    onTestFinished(service.kill);
    const operator = await signInOperator({ url: service.url, name: 'admin', password: PASSWORD });
    instances.push({ application: await signIn(service), operator });
  }
  const [first, second] = instances;
  if (!first || !second) throw new Error('expected two instances');
  const { baseUrl } = sandbox.upstream('network');
  const connection = { connectionName: 'network', connector: 'network', baseUrl };
  await first.application.call('POST', '/v1/connections', { body: connection });
  for (const identifier of ['ada', 'bob']) {
    const account = { body: { apiKey: 'sandbox-network' } };
    await first.application.call('PUT', `/v1/connections/network/accounts/${identifier}`, account);
  }
  return { first, second, gate, sandbox };
}

async function callOnce({ application }: Instance, identifier = 'ada') {
  const body = { connectionName: 'network', identifier, toolInput: { search: 'Berlin' } };
  const reply = await application.call('POST', '/v1/tools/network_geo_search/execute', { body });
  return reply.status;
}

const problemsOf = async ({ operator }: Instance) =>
  (await operator.call('GET', '/problems')).json<Problems>();

test('both instances report the outage that one of them notices, and its end that the other notices', async () => {
  const { first, second, sandbox } = await startTwo();
  expect(await callOnce(first)).toBe(200);
  for (const instance of [first, second])
    await vi.waitFor(
      async () =>
        expect(await problemsOf(instance)).toEqual({ connections: [], webhookEndpoints: [], watches: [] }),
      SOON,
    );
  await sandbox.dials('network', { failNext: { count: 100_000, status: 503 } });
  await Promise.all(Array.from({ length: 60 }, (_, at) => callOnce(first, at % 2 === 0 ? 'ada' : 'bob')));
  for (const instance of [first, second]) {
    await vi.waitFor(
      async () =>
        expect(await problemsOf(instance)).toMatchObject({
          connections: [{ connectionName: 'network', health: { state: 'not_answering' } }],
        }),
      SOON,
    );
  }

  await sandbox.dials('network', { failNext: null });
  await vi.waitFor(async () => {
    expect(await callOnce(second)).toBe(200);
    for (const instance of [first, second])
      expect(await problemsOf(instance)).toEqual({ connections: [], webhookEndpoints: [], watches: [] });
  }, SOON);
});

test('both instances report that the database answers slowly to one of them', async () => {
  const { first, second, gate } = await startTwo();
  const { instances } = (await second.operator.call('GET', '/health')).json<{
    instances: { id: string }[];
  }>();
  expect(instances).toHaveLength(2);
  gate.slow(SLOW_MS);
  await vi.waitFor(
    async () =>
      expect(await problemsOf(first)).toMatchObject({ slowDatabase: { instanceId: instances[0]?.id } }),
    SOON,
  );
  const { slowDatabase } = await problemsOf(second);
  expect(slowDatabase?.p95Ms).toBeGreaterThanOrEqual(SLOW_MS);

  gate.slow(0);
  await vi.waitFor(async () => {
    for (const instance of [first, second])
      expect(await problemsOf(instance)).toEqual({ connections: [], webhookEndpoints: [], watches: [] });
  }, SOON);
});

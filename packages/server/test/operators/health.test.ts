import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

interface Health {
  readonly database: {
    readonly kind: string;
    readonly version: string;
    readonly sizeBytes: number;
    readonly migrations: { readonly applied: readonly string[]; readonly pending: readonly string[] };
  };
  readonly retention: readonly {
    readonly table: string;
    readonly rows?: number;
    readonly retentionDays: number;
  }[];
}

let service: Service;
let operator: SignedInOperator;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'], flags: ['--keep-executions', '3'] });
  await connectAccount(service, 'calendar');
  operator = await signInOperator({
    url: service.url,
    ...(await service.app.operators.create('ada', 'reader')),
  });
});
afterAll(() => service.stop());

const read = async () => (await operator.call('GET', '/health')).json<Health>();

test('a reader can read the health of the service', async () => {
  expect(await read()).toMatchObject({
    version: '0.0.0',
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    node: process.version,
    rootKey: { kind: 'file', id: expect.stringMatching(/^[0-9a-f]{16}$/) },
    dataKeys: { count: 1, oldestCreatedAt: expect.stringMatching(/Z$/) },
    sandbox: null,
    production: {
      isOn: false,
      refused: expect.arrayContaining([expect.stringContaining('SVC_ENVIRONMENT_URL is http')]),
    },
    executions: { written: expect.any(Number), dropped: 0, waiting: expect.any(Number) },
  });
});

test('the health contains the size and the migrations of the database', async () => {
  const { database } = await read();
  expect(database.kind).toBe(inject('postgres') ? 'postgres' : 'sqlite');
  expect(database.version).toMatch(/^\d+\.\d+/);
  expect(database.sizeBytes).toBeGreaterThan(100_000);
  expect(database.migrations.applied[0]).toBe('001_first_tables');
  expect(database.migrations.pending).toEqual([]);
});

test('the health contains the age of stored rows and their retention in days', async () => {
  const { retention } = await read();
  const ofTable = (name: string) => retention.find(({ table }) => table === name);
  expect(ofTable('executions')).toMatchObject({ retentionDays: 3 });
  expect(ofTable('execution_statistics')).toMatchObject({ retentionDays: 3 });
  expect(ofTable('audit_events')).toMatchObject({ rows: expect.any(Number), retentionDays: 400 });
  expect(ofTable('audit_events')?.rows).toBeGreaterThan(3);
  expect(ofTable('accounts')).toBeUndefined();
});

test('the health requires a session', async () => {
  expect((await fetch(`${service.url}/operator/v1/health`)).status).toBe(401);
});

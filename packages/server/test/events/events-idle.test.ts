import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { readTables } from '../support/databases/read-tables.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

let database: Database;

vi.mock(import('../../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      return opened;
    },
  };
});

let service: Service;
let owner: Application;

beforeAll(async () => {
  service = await startService({ connectors: [] });
  owner = await signIn(service);
});
afterAll(() => service.stop());

test('without a webhook endpoint, changes and failed calls write no row for events', async () => {
  await owner.call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
  });
  const account = '/v1/connections/calls/accounts/ada';
  await owner.call('PUT', account, { body: { bearerToken: 'sandbox-token', verify: false } });
  const { status } = await owner.call('GET', '/v1/proxy/calls/ada/v1/questions');
  expect(status).toBeGreaterThanOrEqual(400);
  await owner.call('DELETE', account);
  // The failed call is written in the background, in the transaction that would write its event.
  await vi.waitFor(async () => expect((await readTables(database))['executions']).toHaveLength(1), 20_000);
  const { events, event_deliveries, webhook_endpoints, settings } = await readTables(database);
  expect({ events, event_deliveries, webhook_endpoints }).toEqual({
    events: [],
    event_deliveries: [],
    webhook_endpoints: [],
  });
  expect(settings).not.toContainEqual(expect.objectContaining({ name: 'event_position' }));
});

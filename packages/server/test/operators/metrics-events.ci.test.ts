import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../../src/storage/schema.js';
import { type Receiver, startReceiver, status } from '../support/events/start-receiver.js';
import { newPort } from '../support/processes/new-port.js';
import { parseMetrics, sumOf } from '../support/requests/prometheus.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
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
let receiver: Receiver;
let owner: Application;
let metricsUrl: string;

beforeAll(async () => {
  // The counts of rows are cached by a fake clock that the test advances.
  vi.useFakeTimers({ toFake: ['performance'] });
  const port = await newPort();
  receiver = await startReceiver();
  service = await startService({
    connectors: [],
    flags: ['--metrics-port', String(port)],
    env: { SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}` },
  });
  await service.app.listen({ host: '127.0.0.1', port });
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  owner = await signIn(service);
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  vi.useRealTimers();
});

test('attempts are counted by outcome, and waiting deliveries and disabled endpoints are counted in the database', async () => {
  for (const [path, code] of [
    ['/working', 204],
    ['/failing', 500],
    ['/gone', 410],
  ] as const) {
    receiver.answer(path, status(code));
    const body = { url: receiver.origin + path, types: ['account.authorized'] };
    expect((await owner.call('POST', '/v1/webhook-endpoints', { body })).status).toBe(201);
  }
  await owner.call('POST', '/v1/connections', {
    body: { connectionName: 'calls', connector: 'convintel', baseUrl: 'https://10.0.0.1' },
  });
  await owner.call('PUT', '/v1/connections/calls/accounts/ada', {
    body: { bearerToken: 'sandbox-token', verify: false },
  });
  await vi.waitFor(async () => {
    vi.advanceTimersByTime(20_000);
    const samples = parseMetrics((await fetchReply(metricsUrl)).text);
    const attempts = (outcome: string) => sumOf(samples, 'svc_event_deliveries_total', { outcome });
    expect({
      attempts: ['succeeded', 'retried', 'failed', 'postponed'].map(attempts),
      delays: sumOf(samples, 'svc_event_delivery_delay_seconds_count'),
      waiting: sumOf(samples, 'svc_event_deliveries_waiting'),
      gone: sumOf(samples, 'svc_webhook_endpoints_disabled', { reason: 'gone' }),
    }).toEqual({ attempts: [1, 1, 1, 0], delays: 1, waiting: 1, gone: 1 });
  }, 20_000);
});

test('an endpoint whose signing secret cannot be decrypted is counted as paused, and not as disabled', async () => {
  const body = { url: `${receiver.origin}/unsigned`, types: ['account.deleted'] };
  const { id } = (await owner.call('POST', '/v1/webhook-endpoints', { body })).json<{ id: string }>();
  const lost = { secret: `v1.key_lost.${'A'.repeat(80)}` };
  await database.updateTable('webhookEndpoints').set(lost).where('id', '=', id).execute();
  expect((await owner.call('DELETE', '/v1/connections/calls/accounts/ada')).status).toBeLessThan(300);
  await vi.waitFor(async () => {
    vi.advanceTimersByTime(20_000);
    const samples = parseMetrics((await fetchReply(metricsUrl)).text);
    expect({
      paused: sumOf(samples, 'svc_webhook_endpoints_paused'),
      disabled: sumOf(samples, 'svc_webhook_endpoints_disabled'),
    }).toEqual({ paused: 1, disabled: 1 });
  }, 20_000);
});

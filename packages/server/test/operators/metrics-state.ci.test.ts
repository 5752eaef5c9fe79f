import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createWatching } from '../support/events/watching.js';
import { newPort } from '../support/processes/new-port.js';
import { parseMetrics, type Scraped, sumOf } from '../support/requests/prometheus.js';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { DEFAULT_LIMITS } from '../support/service/raised-limits.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const USER = '/v1/users/me';

let service: Service;
let application: Application;
let metricsUrl: string;

beforeAll(async () => {
  // Caches, rate limits and circuit breakers use a fake clock that only tests advance.
  vi.useFakeTimers({ toFake: ['performance'] });
  const port = await newPort();
  service = await startService({
    connectors: ['calendar', 'workspace'],
    flags: ['--metrics-port', String(port)],
    env: { ...DEFAULT_LIMITS, SVC_RATE_APPLICATION: '1000' },
  });
  await service.app.listen({ host: '127.0.0.1', port });
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  application = await signIn(service);
});

beforeEach(() => {
  vi.advanceTimersByTime(60_000);
});

afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

async function scrape(): Promise<readonly Scraped[]> {
  const reply = await fetchReply(metricsUrl);
  expect(reply.status, reply.text).toBe(200);
  return parseMetrics(reply.text);
}

const call = (identifier: string) =>
  application.call('GET', `/v1/proxy/workspace/${identifier}${USER}`).then(({ status }) => status);

test('calls that a rate limit refuses are counted by limit', async () => {
  await connectAccount(service, 'workspace', 'busy');
  const before = await scrape();
  // More calls than the burst of 20, at once, so that the refill of a slow machine does not allow all of them.
  const statuses = await Promise.all(Array.from({ length: 60 }, () => call('busy')));
  const after = await scrape();
  const refusals = (samples: readonly Scraped[], limit: string) =>
    sumOf(samples, 'svc_rate_limit_refusals_total', { limit });
  const refused = statuses.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect(refusals(after, 'account') - refusals(before, 'account')).toBe(refused);
  expect(refusals(after, 'application')).toBe(0);
  expect(refusals(after, 'user')).toBe(0);
});

test('circuits that refuse calls are counted by connector and state', async () => {
  const circuits = async (state: string) =>
    sumOf(await scrape(), 'svc_circuit_breakers', { connector: 'workspace', state });
  for (const identifier of ['first', 'second']) await connectAccount(service, 'workspace', identifier);
  expect(await circuits('open')).toBe(0);
  await service.sandbox.dials('workspace', {
    failNext: { count: 20, status: 503, match: { path: USER } },
  });
  for (let index = 0; index < 10; index += 1) await Promise.all([call('first'), call('second')]);
  const before = await scrape();
  expect(await call('first')).toBe(503);
  expect(await circuits('open')).toBe(1);
  const sent = (samples: readonly Scraped[]) =>
    sumOf(samples, 'svc_upstream_requests_total', { connector: 'workspace' });
  expect(sent(await scrape()) - sent(before)).toBe(0);
  vi.advanceTimersByTime(6000);
  expect([await circuits('open'), await circuits('half_open')]).toEqual([0, 1]);
  expect(await call('first')).toBe(200);
  expect((await scrape()).filter(({ name }) => name === 'svc_circuit_breakers')).toEqual([]);
});

test('watches are counted by state, and their polls and items by outcome and change', async () => {
  await connectAccount(service, 'calendar', 'ada');
  const watching = createWatching(service);
  const figures = async () => {
    vi.advanceTimersByTime(15_000);
    const samples = await scrape();
    const polls = (outcome: string) => sumOf(samples, 'svc_watch_polls_total', { outcome });
    return {
      states: samples.flatMap(({ name, labels, value }) =>
        name === 'svc_watches' ? [[labels['state'], value]] : [],
      ),
      hasPolled: polls('succeeded') > 0,
      others: ['continued', 'retried', 'paused', 'failed'].map(polls),
      items: ['created', 'changed', 'deleted'].map((change) =>
        sumOf(samples, 'svc_watch_items_total', { change }),
      ),
    };
  };
  const none = { states: [], hasPolled: false, others: [0, 0, 0, 0], items: [0, 0, 0] };
  expect(await figures()).toEqual(none);
  const { id } = await watching.createWatch('calendar_list_events', {});
  await watching.started(id);
  const event = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z' };
  await watching.run('calendar_create_event', event);
  const polled = { ...none, states: [['watching', 1]], hasPolled: true, items: [1, 0, 0] };
  await expect.poll(figures, { timeout: 20_000 }).toEqual(polled);
  const approve = { default: 'never', tools: { calendar_list_events: 'always' } };
  const changed = await application.call('PATCH', '/v1/connections/calendar', { body: { approve } });
  expect(changed.status, changed.text).toBe(200);
  await expect
    .poll(figures, { timeout: 20_000 })
    .toEqual({ ...polled, states: [['failed', 1]], others: [0, 0, 0, 1] });
  await watching.disable(id);
  expect((await figures()).states).toEqual([]);
});

test('accounts are counted by connector and status, at most every 15 seconds', async () => {
  const count = async (status: string, connector = 'calendar') =>
    sumOf(await scrape(), 'svc_accounts', { connector, status });
  const before = await count('authorized');
  for (const identifier of ['one', 'two', 'three']) await connectAccount(service, 'calendar', identifier);
  await application.call('PUT', '/v1/connections/calendar/accounts/new', { body: {} });
  expect(await count('authorized')).toBe(before);
  vi.advanceTimersByTime(15_000);
  expect([await count('authorized'), await count('unauthorized')]).toEqual([before + 3, 1]);
  const revoked = await application.call('POST', '/v1/connections/calendar/accounts/one/revoke');
  expect(revoked.status, revoked.text).toBe(200);
  vi.advanceTimersByTime(15_000);
  expect(await count('authorized')).toBe(before + 2);
  expect([await count('reauthorization_required'), await count('unauthorized')]).toEqual([1, 1]);
});

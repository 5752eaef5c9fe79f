import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { ConnectionHealth } from '../../src/health/connection-health.js';
import type { Problems } from '../../src/health/health.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectApart } from '../support/service/connect-apart.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const LIST = '/calendar/v3/users/me/calendarList';
// Every state must appear and disappear within 10 s.
const SOON = { timeout: 10_000, interval: 200 };
const DOWN = { count: 100_000, status: 503 };

let service: Service;
let operator: SignedInOperator;
let application: Application;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'network'] });
  operator = await signInOperator({
    url: service.url,
    ...(await service.app.operators.create('ada', 'owner')),
  });
  application = await signIn(service);
});
afterAll(() => service.stop());
afterEach(() => service.sandbox.dials('calendar', { failNext: null }));

type WithHealth = { readonly health: ConnectionHealth; readonly connectionName: string };

const get = async <Body>(path: string) => (await application.call('GET', path)).json<Body>();
const healthOf = async (name: string) => (await get<WithHealth>(`/v1/connections/${name}`)).health;
const problems = async (query = '') => (await operator.call('GET', `/problems${query}`)).json<Problems>();
const callOnce = async ({ connectionName, identifier }: { connectionName: string; identifier: string }) =>
  (await application.call('GET', `/v1/proxy/${connectionName}/${identifier}${LIST}`)).status;
const stateOf = async (name: string) =>
  (await problems(`?applicationId=${service.clientId}`)).connections.find(
    ({ connectionName }) => connectionName === name,
  )?.health;

test('a new connection is not tested, and a test or a successful call shows that it works', async () => {
  await vi.waitFor(async () => expect(await healthOf('network')).toEqual({ state: 'not_tested' }), SOON);
  expect((await application.call('POST', '/v1/connections/network/check')).status).toBe(200);
  await vi.waitFor(async () => expect(await healthOf('network')).toEqual({ state: 'working' }), SOON);
  const account = await connectApart(service, 'calendar');
  await vi.waitFor(
    async () => expect(await healthOf(account.connectionName)).toEqual({ state: 'not_tested' }),
    SOON,
  );
  expect(await callOnce(account)).toBe(200);
  await vi.waitFor(
    async () => expect(await healthOf(account.connectionName)).toEqual({ state: 'working' }),
    SOON,
  );
});

test('a failed test stays until the settings change, after which the connection is not tested', async () => {
  const connection = { connectionName: 'wrong', connector: 'calendar', clientId: 'c', clientSecret: 's' };
  const created = await application.call('POST', '/v1/connections', {
    body: {
      ...connection,
      baseUrl: service.sandbox.upstream('calendar').baseUrl,
      tokenEndpoint: `${service.sandbox.upstream('calendar').baseUrl}/nowhere`,
    },
  });
  expect(created.status).toBe(201);
  expect(created.json()).toMatchObject({ health: { state: 'not_tested' } });
  await application.call('POST', '/v1/connections/wrong/check');
  const failed = await get<WithHealth>('/v1/connections/wrong');
  expect(failed).toMatchObject({
    health: { state: 'test_failed', since: expect.any(String), reason: expect.stringMatching(/\.$/) },
    lastTest: { isWorking: false, failedSteps: ['token_endpoint'] },
  });
  const listed = await get<{ items: WithHealth[] }>('/v1/connections');
  expect(listed.items.find(({ connectionName }) => connectionName === 'wrong')).toEqual(failed);
  await vi.waitFor(async () => expect(await stateOf('wrong')).toEqual(failed.health), SOON);
  expect((await problems()).connections).toEqual([
    { applicationId: service.clientId, connectionName: 'wrong', health: failed.health },
  ]);
  const patch = (body: object) => application.call('PATCH', '/v1/connections/wrong', { body });
  expect((await patch({ scopes: ['a'] })).json()).toMatchObject({ health: { state: 'test_failed' } });
  expect((await patch({ clientId: 'd', clientSecret: 's' })).json()).toMatchObject({
    health: { state: 'not_tested' },
  });
  await application.call('DELETE', '/v1/connections/wrong');
});

test('an upstream that does not answer is reported by every route, and disappears after its recovery', async () => {
  const account = await connectApart(service, 'calendar');
  const { connectionName } = account;
  expect(await callOnce(account)).toBe(200);
  await service.sandbox.dials('calendar', { failNext: DOWN });
  for (let call = 0; call < 25; call += 1) await callOnce(account);
  await vi.waitFor(
    async () => expect(await stateOf(connectionName)).toMatchObject({ state: 'not_answering' }),
    SOON,
  );
  const health = await healthOf(connectionName);
  expect(health).toEqual({
    state: 'not_answering',
    since: expect.stringMatching(/Z$/),
    nextTryAt: expect.stringMatching(/Z$/),
    reason: expect.stringContaining('does not respond'),
  });
  expect(Math.abs(Date.parse(health.since ?? '') - Date.now())).toBeLessThan(10_000);
  const overview = await operator.call('GET', `/overview?applicationId=${service.clientId}`);
  expect(overview.json()).toMatchObject({
    application: { problems: { connections: [{ connectionName, health: { state: 'not_answering' } }] } },
  });
  expect((await problems()).connections).toMatchObject([{ connectionName }]);

  await service.sandbox.dials('calendar', { failNext: null });
  await vi.waitFor(async () => {
    await callOnce(account);
    expect(await stateOf(connectionName)).toBeUndefined();
  }, SOON);
  await vi.waitFor(async () => expect(await healthOf(connectionName)).toEqual({ state: 'working' }), SOON);
});

test('a part of failing calls is reported with its percentage', async () => {
  const account = await connectApart(service, 'calendar');
  for (let call = 0; call < 2; call += 1) expect(await callOnce(account)).toBe(200);
  await service.sandbox.dials('calendar', { failNext: { count: 2, status: 500 } });
  for (let call = 0; call < 2; call += 1) expect(await callOnce(account)).toBe(500);
  await vi.waitFor(
    async () =>
      expect(await stateOf(account.connectionName)).toEqual({
        state: 'degraded',
        failedPercent: 50,
        since: expect.any(String),
        reason: 'The upstream responds with status 500.',
      }),
    SOON,
  );
  for (let call = 0; call < 5; call += 1) expect(await callOnce(account)).toBe(200);
  await vi.waitFor(async () => expect(await stateOf(account.connectionName)).toBeUndefined(), SOON);
});

test('failing token refreshes are reported by the connection and the account', async () => {
  const account = await connectApart(service, 'calendar');
  const read = () => get<Record<string, unknown>>(`/v1/accounts/${account.id}`);
  await service.sandbox.expireTokens('calendar');
  await service.sandbox.dials('calendar', { failNext: { ...DOWN, match: { path: '/token' } } });
  expect(await callOnce(account)).toBe(503);
  const failing = await read();
  expect(failing['refreshFailure']).toEqual({
    since: expect.any(String),
    lastTriedAt: expect.any(String),
    reason: 'The authorization server does not respond.',
  });
  await vi.waitFor(
    async () =>
      expect(await healthOf(account.connectionName)).toEqual({
        state: 'refresh_failing',
        accounts: 1,
        since: (failing['refreshFailure'] as { since: string }).since,
        reason: 'The authorization server does not respond.',
      }),
    SOON,
  );
  expect((await problems()).connections).toMatchObject([{ connectionName: account.connectionName }]);
  expect((await get<{ items: object[] }>('/v1/accounts?refreshFailing=true')).items).toMatchObject([
    { id: account.id },
  ]);

  await service.sandbox.dials('calendar', { failNext: null });
  await vi.waitFor(async () => expect(await callOnce(account)).toBe(200), SOON);
  expect(await read()).not.toHaveProperty('refreshFailure');
  await vi.waitFor(async () => expect(await stateOf(account.connectionName)).toBeUndefined(), SOON);
});

test('a working service has no problems', async () => {
  const account = await connectAccount(service, 'network');
  expect(await problems()).toEqual({ connections: [], webhookEndpoints: [], watches: [] });
  expect(account).not.toHaveProperty('refreshFailure');
});

test('the health reports the rate limits, queues and memory of each instance', async () => {
  const { instances } = (await operator.call('GET', '/health')).json<{ instances: object[] }>();
  expect(instances).toEqual([
    expect.objectContaining({
      id: expect.stringMatching(/^inst_/),
      version: '0.0.0',
      memoryBytes: expect.any(Number),
      calls: { running: 0, waiting: 0, refused: 0 },
      rateLimits: expect.objectContaining({
        application: { perSecond: expect.any(Number), calls: expect.any(Number), refused: 0 },
      }),
      refreshes: { succeeded: expect.any(Number), failed: expect.any(Number) },
      database: { statements: expect.any(Number), p95Ms: expect.any(Number), isSlow: false },
    }),
  ]);
});

test('the problems require a session of an operator', async () => {
  expect((await fetch(`${service.url}/operator/v1/problems`)).status).toBe(401);
});

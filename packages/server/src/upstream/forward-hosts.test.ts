import type { Connector } from '@svc/catalog';
import { expect, test } from 'vitest';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { createResponseBody } from '../http/response-body.js';
import type { HttpRequest } from '../http/send-http.js';
import { secret } from '../secret.js';
import { createBreaker } from './breaker.js';
import { createForward, type ForwardRequest } from './forward.js';
import { createLimiter } from './limiter.js';

const connector: Connector = {
  id: 'sample',
  title: 'Sample',
  service: 'Sample',
  description: 'A connector of three companies, which only this test knows.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  hosts: {
    media: { baseUrl: 'https://media.upstream.example', headers: {} },
    scraper: {
      baseUrl: 'https://api.scraper.example',
      credential: 'scraper_token',
      inject: { header: 'Authorization', value: 'Bearer {credential}' },
      headers: { 'X-Scraper': '2' },
    },
    timer: {
      baseUrl: 'https://api.timer.example',
      credential: 'timer_token',
      inject: { header: 'X-Timer-Key', value: '{credential}' },
      headers: {},
    },
  },
  headers: { 'X-Version': '1' },
  auth: { type: 'api_key', inject: { header: 'X-API-Key', value: '{credential}' }, credentials: [] },
  errors: [],
  retry: { attempts: 1, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};
const account: ResolvedAccount = {
  id: 'acct_1',
  applicationId: 'app_1',
  identifier: 'user_42',
  connectionId: 'conn_1',
  connectionName: 'main',
  connector: 'sample',
  baseUrl: 'https://api.upstream.example',
  hosts: { media: 'https://media.upstream.example', scraper: 'https://own.example.com/scraper' },
};
const CASES: Readonly<Record<string, string>> = {
  main: 'main-key',
  scraper_token: 'scraper-key',
  timer_token: 'timer-key',
};

function setUp(
  outcome: () => number = () => 200,
  current: Credentials['current'] = async (_, name) => ({
    secret: secret(CASES[name ?? 'main'] ?? ''),
    version: 1,
  }),
) {
  const sent: HttpRequest[] = [];
  const renewed: unknown[] = [];
  const forward = createForward({
    connectors: new Map([['sample', connector]]),
    credentials: {
      cached: () => undefined,
      notHelped: () => undefined,
      end: async () => undefined,
      current,
      renew: async (_, rejected) => {
        renewed.push(rejected);
        return undefined;
      },
    },
    send: async (request) => {
      sent.push(request);
      const inlet = createResponseBody({ pause: () => {}, resume: () => {}, abort: () => {} });
      const status = outcome();
      inlet.end();
      return { status, headers: {}, body: inlet.body };
    },
    limiter: createLimiter(),
    breaker: createBreaker({ now: () => 0 }),
  });
  const call = (request: Partial<ForwardRequest>) =>
    forward(account, { method: 'GET', path: '/v1/x', headers: [], ...request });
  return { call, sent, renewed };
}

const AGENT = ['user-agent', 'svc-server'];

test.each([
  {
    title: 'the base URL',
    host: undefined,
    origin: 'https://api.upstream.example',
    path: '/v1/x',
    headers: ['X-Version', '1', ...AGENT, 'X-API-Key', 'main-key'],
  },
  {
    title: 'a host of the same vendor without the default headers',
    host: 'media',
    origin: 'https://media.upstream.example',
    path: '/v1/x',
    headers: [...AGENT, 'X-API-Key', 'main-key'],
  },
  {
    title: 'a host of another vendor at the address of the connection',
    host: 'scraper',
    origin: 'https://own.example.com',
    path: '/scraper/v1/x',
    headers: ['X-Scraper', '2', ...AGENT, 'Authorization', 'Bearer scraper-key'],
  },
  {
    title: 'a host with its own credential header',
    host: 'timer',
    origin: 'https://api.timer.example',
    path: '/v1/x',
    headers: [...AGENT, 'X-Timer-Key', 'timer-key'],
  },
])('P5: a request to $title has only its own credential', async ({ host, origin, path, headers }) => {
  const { call, sent } = setUp();
  const mine = ['X-API-Key', 'a', 'authorization', 'b', 'X-TIMER-KEY', 'c', 'Cookie', 'd'];
  await call({ host, headers: mine });
  expect(sent).toMatchObject([{ origin, path, headers }]);
});

test.each([undefined, 'media', 'scraper', 'timer'])(
  'P2: no path of the host %s leads to another host',
  async (host) => {
    const { call, sent } = setUp();
    const paths = [
      '//api.timer.example/x',
      '/\\api.timer.example',
      'https://api.timer.example/x',
      '/../../x',
      '@x',
      '/.%2e/x',
    ];
    for (const path of paths)
      await expect(call({ host, path })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(sent).toEqual([]);
  },
);

test('a credential of the call replaces the one of the account and is never renewed', async () => {
  const { call, sent, renewed } = setUp(() => 401);
  expect((await call({ host: 'scraper', credential: 'of-the-call' })).status).toBe(401);
  expect(sent[0]?.headers.slice(-2)).toEqual(['Authorization', 'Bearer of-the-call']);
  expect([sent.length, renewed]).toEqual([1, []]);
});

test('a request is not sent when the account lacks the credential', async () => {
  const { call, sent } = setUp(undefined, async () => {
    throw new ServiceError('account_not_authorized', 'There is no scraper_token.', {
      credential: 'scraper_token',
    });
  });
  await expect(call({ host: 'scraper' })).rejects.toMatchObject({ details: { credential: 'scraper_token' } });
  expect(sent).toEqual([]);
});

test.each(['nowhere', 'constructor', '__proto__'])('the host "%s" is refused', async (host) => {
  await expect(setUp().call({ host })).rejects.toMatchObject({ code: 'internal_error' });
});

test('P10: the idle timeout is at least the deadline of the call', async () => {
  const { call, sent } = setUp();
  await call({ totalMs: 330_000, idleMs: 330_000 });
  await call({});
  expect(sent).toMatchObject([
    { totalMs: 330_000, idleMs: 330_000 },
    { totalMs: 120_000, idleMs: undefined },
  ]);
});

test.each(['connection_failed', 'upstream_timeout'] as const)(
  'an unknown outcome after %s is reported as not repeatable',
  async (code) => {
    const { call, sent } = setUp(() => {
      throw new ServiceError(code, 'The response was lost.', { reason: 'closed' });
    });
    await expect(call({})).rejects.toMatchObject({ code, details: { reason: 'closed', repeatable: false } });
    expect(sent).toHaveLength(1);
  },
);

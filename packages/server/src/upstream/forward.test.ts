import { Readable } from 'node:stream';
import type { Connector } from '@svc/catalog';
import { expect, test, vi } from 'vitest';
import type { Credentials } from '../connections/credentials.js';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { createResponseBody } from '../http/response-body.js';
import type { HttpRequest } from '../http/send-http.js';
import { secret } from '../secret.js';
import { createBreaker } from './breaker.js';
import { createForward, type ForwardRequest } from './forward.js';
import { createLimiter, type LimiterOptions } from './limiter.js';
import { newTrace } from './trace.js';

const connector: Connector = {
  id: 'sample',
  title: 'Sample',
  service: 'Sample',
  description: 'A connector that only this test knows.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  headers: {},
  hosts: {},
  auth: {
    type: 'bearer_token',
    inject: { header: 'Authorization', value: 'Bearer {credential}' },
    credentials: [],
  },
  errors: [],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
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
  baseUrl: 'https://api.upstream.example/base',
  hosts: {},
};

function setUp(
  statuses: readonly number[],
  renew: Credentials['renew'] = async () => undefined,
  limiter: LimiterOptions = { concurrency: 1, queue: 0 },
) {
  const sent: HttpRequest[] = [];
  const aborted: number[] = [];
  const forward = createForward({
    connectors: new Map([['sample', connector]]),
    credentials: {
      cached: () => undefined,
      notHelped: () => undefined,
      end: async () => undefined,
      current: async () => ({ secret: secret('one'), version: 1 }),
      renew,
    },
    send: async (request) => {
      sent.push(request);
      const status = statuses[sent.length - 1] ?? 200;
      const { body, end, fail } = createResponseBody({
        pause: () => undefined,
        resume: () => undefined,
        abort: () => {
          aborted.push(status);
          fail(new ServiceError('connection_failed', 'Nobody reads it.'));
        },
      });
      if (status === 200) end();
      return { status, headers: {}, body };
    },
    limiter: createLimiter(limiter),
    breaker: createBreaker({ now: () => 0 }),
  });
  const call = (request: Partial<ForwardRequest> = {}) =>
    forward(account, { method: 'GET', path: '/v1/x', headers: [], ...request });
  return { call, forward, sent, aborted };
}

test('P2, P5: a request is sent below the base URL with one credential', async () => {
  const { call, sent } = setUp([200]);
  await call({ query: 'a=b c', headers: ['authorization', 'Bearer mine', 'accept', '*/*'] });
  expect(sent).toMatchObject([
    {
      origin: 'https://api.upstream.example',
      path: '/base/v1/x?a=b%20c',
      headers: ['accept', '*/*', 'user-agent', 'svc-server', 'Authorization', 'Bearer one'],
      totalMs: 120_000,
    },
  ]);
});

test('P10: a streamed request has its content length, and uploads have a longer timeout', async () => {
  const { call, sent } = setUp([200, 200]);
  const body = Readable.from([Buffer.from('abc')]);
  await call({ method: 'PUT', openBody: async () => ({ body, contentLength: 3 }) });
  expect(sent[0]?.headers.join(' ')).toContain('content-length 3');
  expect(sent[0]?.totalMs).toBe(600_000);
});

test('a failed renewal is reported, frees the socket and releases the slot', async () => {
  const { call, aborted } = setUp([401, 200], async () => {
    throw new ServiceError('account_not_authorized', 'The user must authorize again.');
  });
  await expect(call()).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(aborted).toEqual([401]);
  expect((await call()).status).toBe(200);
});

test('a 401 without a newer credential is returned', async () => {
  const { call, sent } = setUp([401]);
  expect([(await call()).status, sent.length]).toEqual([401, 1]);
});

test('a call keeps its slot until the response has ended', async () => {
  const { call } = setUp([206, 200]);
  await call();
  await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
});

test('F5: a queued call opens no body', async () => {
  const { call, sent } = setUp([206, 200], undefined, { concurrency: 1, queue: 1 });
  const { body } = await call();
  const openBody = vi.fn(async () => ({ body: Buffer.from('abc') }));
  const second = call({ method: 'POST', openBody });
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect([openBody.mock.calls.length, sent.length]).toEqual([0, 1]);
  body.destroy();
  await second;
  expect([openBody.mock.calls.length, sent[1]?.body?.toString()]).toEqual([1, 'abc']);
});

test('P1: an invalid path is refused before the credential is read, and takes no slot', async () => {
  const { call, sent } = setUp([200]);
  await expect(call({ path: '/../x' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(call({ headers: ['a b', ''] })).rejects.toMatchObject({ code: 'invalid_request' });
  expect(sent).toEqual([]);
  expect((await call()).status).toBe(200);
});

test('an account whose connector was removed gives a clear error', async () => {
  const { forward } = setUp([200]);
  const removed = forward({ ...account, connector: 'gone' }, { method: 'GET', path: '/', headers: [] });
  await expect(removed).rejects.toMatchObject({ code: 'connector_not_found' });
});

test('the wait for slots is summed over the requests of a call, even when it ends in a refusal', async () => {
  const { call } = setUp([500, 500, 500], undefined, { concurrency: 1, queue: 5, waitMs: 60 });
  const trace = newTrace();
  const { body } = await call();
  setTimeout(() => body.destroy(), 30);
  const second = await call({ trace });
  const waited = trace.waitedMs;
  expect(waited).toBeGreaterThan(20);
  await expect(call({ trace })).rejects.toMatchObject({ code: 'unavailable' });
  expect(trace.waitedMs).toBeGreaterThan(waited + 40);
  second.body.destroy();
});

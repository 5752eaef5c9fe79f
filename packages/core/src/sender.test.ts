import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failure, fakeService, handedOn, json } from '../test/fake-service.js';

const lost = () => Promise.reject(new TypeError('fetch failed'));
const unavailable = () => failure(503, 'unavailable');
const limited = () => failure(429, 'rate_limited');
const upstreamFailed = () => failure(502, 'upstream_failed', { status: 500, body: {} });
const brokenOff = () =>
  new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{"a":')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
const get = { method: 'GET', path: '/v1/tools' };
const post = { method: 'POST', path: '/v1/tools/x_y/execute', body: {} };
const withKey = { idempotencyKey: 'key-1' };

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  { title: 'a GET with a lost connection', call: get, reply: lost, sent: 3 },
  { title: 'a GET to an unavailable service', call: get, reply: unavailable, sent: 3 },
  {
    title: 'a GET whose upstream connection failed',
    call: get,
    reply: () => failure(502, 'connection_failed'),
    sent: 3,
  },
  {
    title: 'a GET that is not repeatable',
    call: get,
    reply: () => failure(502, 'connection_failed', { repeatable: false }),
    sent: 1,
  },
  {
    title: 'a GET that the service has already retried',
    call: get,
    reply: () => failure(502, 'connection_failed', { attempts: 3 }),
    sent: 1,
  },
  {
    title: 'a GET that timed out upstream',
    call: get,
    reply: () => failure(504, 'upstream_timeout'),
    sent: 3,
  },
  {
    title: 'a GET through a broken gateway',
    call: get,
    reply: () => new Response('', { status: 502 }),
    sent: 3,
  },
  { title: 'a GET with an upstream failure', call: get, reply: upstreamFailed, sent: 1 },
  {
    title: 'a GET with an internal error',
    call: get,
    reply: () => failure(500, 'internal_error'),
    sent: 1,
  },
  { title: 'a GET that is not found', call: get, reply: () => failure(404, 'not_found'), sent: 1 },
  { title: 'a POST with a lost connection', call: post, reply: lost, sent: 1 },
  { title: 'a POST to an unavailable service', call: post, reply: unavailable, sent: 1 },
  { title: 'a POST with a key and a lost connection', call: post, options: withKey, reply: lost, sent: 3 },
  {
    title: 'a POST with a key to an unavailable service',
    call: post,
    options: withKey,
    reply: unavailable,
    sent: 3,
  },
  {
    title: 'a POST with a key and an upstream failure',
    call: post,
    options: withKey,
    reply: upstreamFailed,
    sent: 1,
  },
  {
    title: 'a GET with a truncated response',
    call: get,
    reply: () => new Response(brokenOff()),
    sent: 3,
  },
  { title: 'a POST with a truncated response', call: post, reply: () => new Response(brokenOff()), sent: 1 },
  {
    title: 'a POST with a key and a conflict',
    call: post,
    options: withKey,
    reply: () => failure(409, 'conflict'),
    sent: 1,
  },
  {
    title: 'a PUT with a key and a lost connection',
    call: { ...post, method: 'PUT' },
    options: withKey,
    reply: lost,
    sent: 3,
  },
  {
    title: 'a PATCH with a key, which the service ignores,',
    call: { ...post, method: 'PATCH' },
    options: withKey,
    reply: lost,
    sent: 1,
  },
  { title: 'a rate-limited POST', call: post, reply: limited, sent: 3 },
  { title: 'a rate-limited PATCH', call: { ...post, method: 'PATCH' }, reply: limited, sent: 3 },
])('sends $title $sent times', async ({ call, options, reply, sent }) => {
  const { svc, requests } = fakeService([reply]);
  await expect(svc.call(call, options)).rejects.toThrow();
  expect(requests).toHaveLength(sent);
});

test.each([
  {
    title: 'a proxied GET with an upstream failure',
    method: 'GET',
    reply: () => handedOn('', { status: 503 }),
    sent: 1,
  },
  { title: 'a proxied GET to an unavailable service', method: 'GET', reply: unavailable, sent: 3 },
  {
    title: 'a proxied POST with a key',
    method: 'POST',
    reply: lost,
    options: withKey,
    sent: 1,
  },
  {
    title: 'a proxied read-only POST with a key',
    method: 'POST',
    reply: lost,
    options: { ...withKey, readOnly: true },
    sent: 3,
  },
  {
    title: 'a rate-limited upload',
    method: 'PUT',
    form_data: new Uint8Array(3),
    reply: limited,
    sent: 1,
  },
] as const)('sends $title $sent times', async ({ reply, sent, title, ...given }) => {
  const { options, ...call }: typeof given & { options?: object } = given;
  const { svc, requests } = fakeService([reply]);
  const request = { connectionName: 'c', identifier: 'u', path: '/x', ...call };
  await expect(svc.request(request, options), title).rejects.toThrow();
  expect(requests).toHaveLength(sent);
});

test('returns the response of a successful retry', async () => {
  const { svc } = fakeService([lost, unavailable, () => json({ ok: true })]);
  expect(await svc.call(get)).toEqual({ ok: true });
});

test('retries with the whole body and the same key', async () => {
  const { svc, requests } = fakeService([limited, () => json({})]);
  await svc.call({ ...post, body: { a: 1 } }, withKey);
  expect(await Promise.all(requests.map((request) => request.text()))).toEqual(['{"a":1}', '{"a":1}']);
  expect(requests.map((request) => request.headers.get('idempotency-key'))).toEqual(['key-1', 'key-1']);
});

describe('the retry delay', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });

  async function sentAfter(milliseconds: number, replies: (() => Response)[]): Promise<number> {
    const { svc, requests } = fakeService(replies, { timeout: 60_000 });
    const call = svc.call(post, withKey).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(milliseconds);
    const sent = requests.length;
    await vi.advanceTimersByTimeAsync(120_000);
    await call;
    return sent;
  }

  test.each([
    { after: 4_900, sent: 1 },
    { after: 5_100, sent: 2 },
  ])('follows Retry-After: $sent requests after $after ms', async ({ after, sent }) => {
    const reply = () => failure(429, 'rate_limited', undefined, { 'retry-after': '5' });
    expect(await sentAfter(after, [reply, () => json({})])).toBe(sent);
  });

  test('follows a Retry-After date and reports it in seconds', async () => {
    const reply = () =>
      failure(503, 'unavailable', undefined, { 'retry-after': new Date(Date.now() + 7_000).toUTCString() });
    const { svc, requests } = fakeService([reply, () => json({})], { timeout: 60_000 });
    const call = svc.call(get);
    await vi.advanceTimersByTimeAsync(5_500);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([await call, requests.length]).toEqual([{}, 2]);
    const failing = fakeService([reply], { maxRetries: 0 }).svc.call(get);
    await expect(failing).rejects.toSatisfy(({ retryAfter }) => retryAfter > 5 && retryAfter <= 7);
  });

  test.each([
    { after: 250, sent: 1 },
    { after: 350, sent: 2 },
    { after: 850, sent: 2 },
    { after: 950, sent: 3 },
  ])('grows with each retry: $sent requests after $after ms', async ({ after, sent }) => {
    vi.mocked(Math.random).mockReturnValue(1);
    expect(await sentAfter(after, [unavailable])).toBe(sent);
  });

  test('does not start if it exceeds the timeout of the call', async () => {
    const { svc, requests } = fakeService([
      () => failure(429, 'rate_limited', undefined, { 'retry-after': '61' }),
    ]);
    const call = svc.call(post, { timeout: 60_000 });
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 61 });
    expect(requests).toHaveLength(1);
  });

  test('does not start if it exceeds the remaining time of the call', async () => {
    const { svc, requests } = fakeService([
      () => failure(429, 'rate_limited', undefined, { 'retry-after': '2' }),
    ]);
    const call = expect(svc.call(post, { timeout: 3_000 })).rejects.toMatchObject({ code: 'rate_limited' });
    await vi.advanceTimersByTimeAsync(2_100);
    await call;
    expect(requests).toHaveLength(2);
  });

  test('repeats for a running call with the same key until it ends', async () => {
    const running = () => failure(409, 'conflict', undefined, { 'retry-after': '1' });
    const { svc, requests } = fakeService([
      lost,
      ...Array.from({ length: 9 }, () => running),
      () => json({ a: 1 }),
    ]);
    const call = svc.call(post, withKey);
    await vi.advanceTimersByTimeAsync(12_000);
    expect([await call, requests.length]).toEqual([{ a: 1 }, 11]);
  });

  test('ends with an abort', async () => {
    const { svc } = fakeService([() => failure(429, 'rate_limited', undefined, { 'retry-after': '5' })]);
    const abort = new AbortController();
    const call = expect(svc.call(post, { signal: abort.signal })).rejects.toBe('enough');
    await vi.advanceTimersByTimeAsync(1_000);
    abort.abort('enough');
    await call;
  });

  test('ends with the timeout of the call', async () => {
    const { svc, requests } = fakeService([() => new Promise<Response>(() => {})]);
    const call = expect(svc.call(get, { timeout: 3_000 })).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(3_000);
    await call;
    expect(requests).toHaveLength(1);
  });
});

test('merges headers of client and call case-insensitively', async () => {
  const { svc, requests } = fakeService([() => json({})], {
    headers: { 'X-One': 'client', 'x-two': 'client' },
  });
  await svc.call(get, { headers: { 'x-one': 'call' } });
  expect(requests[0]?.headers.get('x-one')).toBe('call');
  expect(requests[0]?.headers.get('x-two')).toBe('client');
  await svc.withOptions({ headers: { 'x-one': 'copy' } }).call(get);
  expect(requests[1]?.headers.get('x-one')).toBe('copy');
});

test('leaves out a header that is undefined and an idempotency key that is empty', async () => {
  const { svc, requests } = fakeService([() => json({})], { headers: { 'x-one': 'client' } });
  // The type assertion simulates a program without types, because the compiler refuses the value.
  const headers = { 'x-one': undefined, 'x-two': undefined } as unknown as Record<string, string>;
  await svc.call(post, { headers, idempotencyKey: '' });
  expect(requests[0]?.headers.get('x-one')).toBe('client');
  expect(requests[0]?.headers.has('x-two')).toBe(false);
  expect(requests[0]?.headers.has('idempotency-key')).toBe(false);
});

test('sends the authorization header of the client', async () => {
  const { svc, requests } = fakeService([() => json({})]);
  await svc.call(get, { headers: { Authorization: 'Bearer other' } });
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer token');
});

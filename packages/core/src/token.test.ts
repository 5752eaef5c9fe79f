import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { credentials, failure, fakeService, json } from '../test/fake-service.js';

const get = { method: 'GET', path: '/v1/tools' };
const isTokenRequest = (request: Request) => request.url.endsWith('/oauth/token');

/** Creates a fake service that issues the tokens svc_at_1, svc_at_2 and so on, and responds to calls with `reply`. */
function serviceWithTokens(reply: (request: Request) => Response, expiresIn = 900) {
  let issued = 0;
  const { svc, requests } = fakeService(
    [
      (request) =>
        isTokenRequest(request)
          ? json({ access_token: `svc_at_${++issued}`, token_type: 'Bearer', expires_in: expiresIn })
          : reply(request),
    ],
    { ...credentials, accessToken: undefined },
  );
  const tokens = () => requests.filter((request) => !isTokenRequest(request)).map(tokenOf);
  return { svc, tokens, tokenRequests: () => requests.filter(isTokenRequest).length };
}

const tokenOf = (request: Request) => request.headers.get('authorization');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('100 parallel calls share one token request', async () => {
  const { svc, tokens, tokenRequests } = serviceWithTokens(() => json({}));
  await Promise.all(Array.from({ length: 100 }, () => svc.call(get)));
  expect(tokenRequests()).toBe(1);
  expect(new Set(tokens())).toEqual(new Set(['Bearer svc_at_1']));
});

test('renews the token after nine tenths of its lifetime', async () => {
  const { svc, tokens } = serviceWithTokens(() => json({}));
  await svc.call(get);
  vi.advanceTimersByTime(809_000);
  await svc.call(get);
  vi.advanceTimersByTime(2_000);
  await svc.call(get);
  expect(tokens()).toEqual(['Bearer svc_at_1', 'Bearer svc_at_1', 'Bearer svc_at_2']);
});

test('parallel calls with status 401 renew the token once and are repeated', async () => {
  const { svc, tokenRequests } = serviceWithTokens((request) =>
    tokenOf(request) === 'Bearer svc_at_1' ? failure(401, 'unauthorized') : json({ ok: true }),
  );
  const results = await Promise.all(Array.from({ length: 20 }, () => svc.call({ ...get, method: 'POST' })));
  expect(results).toEqual(Array.from({ length: 20 }, () => ({ ok: true })));
  expect(tokenRequests()).toBe(2);
});

test('renews the token at most once per call', async () => {
  const { svc, tokens } = serviceWithTokens(() => failure(401, 'unauthorized'));
  await expect(svc.call(get)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  expect(tokens()).toHaveLength(2);
});

test('does not retry a call with a fixed token after status 401', async () => {
  const { svc, requests } = fakeService([() => failure(401, 'unauthorized')]);
  await expect(svc.call(get)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(requests).toHaveLength(1);
});

test('calls the token function for every call and again after status 401', async () => {
  const accessToken = vi.fn().mockResolvedValueOnce('old').mockResolvedValue('new');
  const { svc, requests } = fakeService([() => failure(401, 'unauthorized'), () => json({})], {
    accessToken,
  });
  await svc.call(get);
  expect(requests.map(tokenOf)).toEqual(['Bearer old', 'Bearer new']);
});

test('caches an account token until shortly before it expires', async () => {
  const issue = (token: string, ms: number) => ({
    token,
    expiresAt: new Date(Date.now() + ms).toISOString(),
  });
  const accessToken = vi
    .fn()
    .mockResolvedValueOnce(issue('short', -1000))
    .mockResolvedValue(issue('long', 600_000));
  const { svc, requests } = fakeService([() => json({})], { accessToken });
  for (let call = 0; call < 4; call += 1) await svc.call(get);
  expect(requests.map(tokenOf)).toEqual(['Bearer short', 'Bearer long', 'Bearer long', 'Bearer long']);
  expect(accessToken).toHaveBeenCalledTimes(2);
});

test('does not cache a failed token request', async () => {
  const { svc } = fakeService(
    [
      () =>
        json(
          { error: 'invalid_client', error_description: 'Unknown client' },
          { status: 401, headers: { 'svc-error': 'invalid_client' } },
        ),
      () => json({ access_token: 'svc_at_1', expires_in: 900 }),
      () => json({ ok: true }),
    ],
    { ...credentials, accessToken: undefined },
  );
  await expect(svc.call(get)).rejects.toMatchObject({
    code: 'invalid_client',
    status: 401,
    message: 'Unknown client',
  });
  expect(await svc.call(get)).toEqual({ ok: true });
});

test.each([
  ['no body', () => new Response(null, { status: 204 })],
  ['another JSON document', () => json({ hello: 'world' })],
] as const)('names the server that responds to the token request with %s', async (_, reply) => {
  const { svc } = fakeService([reply], { ...credentials, accessToken: undefined });
  await expect(svc.call(get)).rejects.toMatchObject({
    code: 'unexpected_response',
    message: expect.stringContaining(`environmentUrl (${credentials.environmentUrl})`),
  });
});

test.each(['GET', 'POST'])('retries a failed token request for a %s', async (method) => {
  const { svc } = fakeService(
    [
      () => Promise.reject(new TypeError('fetch failed')),
      () => json({ access_token: 'svc_at_1', expires_in: 900 }),
      () => json({ ok: true }),
    ],
    { ...credentials, accessToken: undefined },
  );
  expect(await svc.call({ ...get, method })).toEqual({ ok: true });
});

test('an abort ends a call during its token request', async () => {
  const { svc } = fakeService([() => new Promise<Response>(() => {})], {
    ...credentials,
    accessToken: undefined,
  });
  const abort = new AbortController();
  const call = svc.call(get, { signal: abort.signal });
  setImmediate(() => abort.abort(new Error('enough')));
  await expect(call).rejects.toThrow('enough');
});

test.each([
  { title: 'a forbidden call', reply: () => failure(403, 'forbidden') },
  { title: 'a lost connection', reply: () => Promise.reject(new TypeError('fetch failed')) },
  { title: 'a response that is not JSON', reply: () => new Response('<html>', { status: 404 }) },
])('the error of $title contains neither token nor secret', async ({ reply }) => {
  const { svc } = fakeService([() => json({ access_token: 'svc_at_1', expires_in: 900 }), reply], {
    ...credentials,
    accessToken: undefined,
  });
  const error = await svc.call(get).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  const printed = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true });
  expect(printed).not.toMatch(/svc_at_1|svc_sk_secret/);
});

test.each([
  { title: 'a custom error', error: Object.assign(new Error('session over'), { name: 'SessionOver' }) },
  { title: 'a TypeError like a lost connection', error: new TypeError('fetch failed') },
])('throws the error of the token function unchanged and without a retry: $title', async ({ error }) => {
  const accessToken = vi.fn(() => Promise.reject(error));
  const { svc } = fakeService([() => json({})], { accessToken });
  await expect(svc.call(get)).rejects.toBe(error);
  expect(accessToken).toHaveBeenCalledTimes(1);
});

test('renews the token after a HEAD response with status 401', async () => {
  const { svc, tokens } = serviceWithTokens((request) =>
    tokenOf(request) === 'Bearer svc_at_1'
      ? new Response(null, { status: 401, headers: { 'svc-error': 'unauthorized' } })
      : new Response(null),
  );
  const head = { connectionName: 'c', identifier: 'u', method: 'HEAD', path: '/x' } as const;
  expect(await svc.request(head)).toMatchObject({ status: 200 });
  expect(tokens()).toEqual(['Bearer svc_at_1', 'Bearer svc_at_2']);
});

test('throws the error of the token function unchanged after status 401', async () => {
  const error = new Error('session over');
  const accessToken = vi.fn().mockResolvedValueOnce('old').mockRejectedValue(error);
  const { svc, requests } = fakeService([() => failure(401, 'unauthorized')], { accessToken });
  await expect(svc.call(get)).rejects.toBe(error);
  expect(requests).toHaveLength(1);
});

test('an aborted signal prevents the token request', async () => {
  const accessToken = vi.fn(() => new Promise<string>(() => {}));
  const { svc } = fakeService([], { accessToken });
  await expect(svc.call(get, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  expect(accessToken).not.toHaveBeenCalled();
});

test('an abort ends a call while it renews a rejected token', async () => {
  let given = 0;
  const abort = new AbortController();
  const accessToken = async () => {
    given += 1;
    if (given === 1) return 'first';
    setImmediate(() => abort.abort(new Error('enough')));
    return new Promise<string>(() => undefined);
  };
  const { svc } = fakeService([() => failure(401, 'unauthorized')], { ...credentials, accessToken });
  await expect(svc.call(get, { signal: abort.signal })).rejects.toThrow('enough');
});

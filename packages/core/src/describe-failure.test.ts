import { describe, expect, test } from 'vitest';
import { credentials, fakeService, handedOn } from '../test/fake-service.js';

const proxied = { connectionName: 'calendar', identifier: 'user', path: '/events', method: 'POST' } as const;
const caught = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('an answer of something before the service', () => {
  test.each([
    { title: 'a page of a gateway', body: '<html>Bad Gateway</html>', status: 502 },
    { title: "another server's error", body: '{"statusCode":404,"error":"Not Found"}', status: 404 },
    { title: 'an error with a code of its own', body: '{"error":{"code":404}}', status: 404 },
  ])('is no failure of the upstream, and has no code of its own: $title', async ({ body, status }) => {
    const headers = { 'content-type': 'application/json' };
    const { svc } = fakeService([() => new Response(body, { status, headers })], { maxRetries: 0 });
    for (const call of [svc.request(proxied), svc.call({ method: 'GET', path: '/v1/tools' })])
      expect(await caught(call)).toMatchObject({ code: 'unexpected_answer', status });
  });

  test('is told whole, as it says what stands there', async () => {
    const { svc } = fakeService([() => new Response('{"hint":"sign in"}', { status: 403 })]);
    const error = await caught(svc.call({ method: 'GET', path: '/v1/tools' }));
    expect(error).toMatchObject({ code: 'unexpected_answer', details: { body: { hint: 'sign in' } } });
  });

  test('is asked for again where that is safe', async () => {
    const away = () => new Response('<html>', { status: 503 });
    const { svc } = fakeService([away, () => handedOn('here')]);
    expect((await svc.request({ ...proxied, method: 'GET' })).status).toBe(200);
  });
});

test('calls that share the failure of a token do not share a key', async () => {
  const { svc } = fakeService([], { ...credentials, accessToken: undefined, maxRetries: 0 });
  const call = { method: 'POST', path: '/v1/accounts/verify', body: {} };
  const keys = ['one', 'other'].map((idempotencyKey) => caught(svc.call(call, { idempotencyKey })));
  for (const error of await Promise.all(keys))
    expect(error).toMatchObject({ code: 'connection_failed', idempotencyKey: undefined });
});

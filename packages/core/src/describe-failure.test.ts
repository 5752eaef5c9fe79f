import { describe, expect, test } from 'vitest';
import { credentials, fakeService, handedOn } from '../test/fake-service.js';

const proxied = { connectionName: 'calendar', identifier: 'user', path: '/events', method: 'POST' } as const;
const caught = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('a response from an intermediary in front of the service', () => {
  test.each([
    { title: 'an HTML page of a gateway', body: '<html>Bad Gateway</html>', status: 502 },
    {
      title: 'the JSON error of another server',
      body: '{"statusCode":404,"error":"Not Found"}',
      status: 404,
    },
    { title: 'an error with a numeric code', body: '{"error":{"code":404}}', status: 404 },
  ])('becomes unexpected_response for $title', async ({ body, status }) => {
    const headers = { 'content-type': 'application/json' };
    const { svc } = fakeService([() => new Response(body, { status, headers })], { maxRetries: 0 });
    for (const call of [svc.request(proxied), svc.call({ method: 'GET', path: '/v1/tools' })])
      expect(await caught(call)).toMatchObject({ code: 'unexpected_response', status });
  });

  test('is included in the error with its body', async () => {
    const { svc } = fakeService([() => new Response('{"hint":"sign in"}', { status: 403 })]);
    const error = await caught(svc.call({ method: 'GET', path: '/v1/tools' }));
    expect(error).toMatchObject({ code: 'unexpected_response', details: { body: { hint: 'sign in' } } });
  });

  test('is retried for a safe request', async () => {
    const away = () => new Response('<html>', { status: 503 });
    const { svc } = fakeService([away, () => handedOn('here')]);
    expect((await svc.request({ ...proxied, method: 'GET' })).status).toBe(200);
  });
});

test('calls that share a failed token request do not share an idempotency key', async () => {
  const { svc } = fakeService([], { ...credentials, accessToken: undefined, maxRetries: 0 });
  const call = { method: 'POST', path: '/v1/accounts/verify', body: {} };
  const keys = ['one', 'other'].map((idempotencyKey) => caught(svc.call(call, { idempotencyKey })));
  for (const error of await Promise.all(keys))
    expect(error).toMatchObject({ code: 'connection_failed', idempotencyKey: undefined });
});

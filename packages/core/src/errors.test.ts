import { describe, expect, test } from 'vitest';
import { environmentUrl, failure, fakeService, handedOn, json } from '../test/fake-service.js';
import type { Client } from './client.js';
import {
  AccountNotAuthorizedError,
  ApprovalRequiredError,
  ConnectionError,
  InvalidInputError,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UpstreamError,
} from './errors.js';

const post = { method: 'POST', path: '/v1/tools/calendar_list_events/execute' };
const proxied = { connectionName: 'calendar', identifier: 'user', path: '/events', method: 'POST' } as const;
const caught = (call: Promise<unknown>) => call.catch((error: unknown) => error);

const inputProblems = [
  { field: 'blocks[3].type', rule: 'enum', message: 'must be one of…', received: 'string' },
];
const notAuthorized = {
  identifier: 'user/42@x',
  connectionName: 'calendar',
  status: 'unauthorized',
  authorizationLinkPath: '/v1/connections/calendar/accounts/user%2F42%40x/authorization-link',
};
const waiting = {
  id: 'appr_1',
  link: 'https://svc.example/approve/appr_1.x',
  expiresAt: '2026-11-20T09:15:00.000Z',
};
const upstream = {
  status: 404,
  body: { message: 'Invalid request URL' },
  requestId: 'up_1',
  advice: 'Use …',
};

describe('an error of the service', () => {
  test.each([
    {
      reply: failure(400, 'invalid_input', { errors: inputProblems }),
      type: InvalidInputError,
      fields: { code: 'invalid_input', status: 400, errors: inputProblems },
    },
    {
      reply: failure(409, 'account_not_authorized', notAuthorized),
      type: AccountNotAuthorizedError,
      fields: {
        code: 'account_not_authorized',
        status: 409,
        identifier: 'user/42@x',
        connectionName: 'calendar',
      },
    },
    {
      reply: failure(403, 'approval_required', waiting),
      type: ApprovalRequiredError,
      fields: { code: 'approval_required', status: 403, ...waiting },
    },
    {
      reply: failure(502, 'upstream_failed', upstream, { 'retry-after': '30' }),
      type: UpstreamError,
      fields: { code: 'upstream_failed', status: 404, body: upstream.body, advice: 'Use …', retryAfter: 30 },
    },
    {
      reply: failure(429, 'rate_limited', undefined, { 'retry-after': '600' }),
      type: RateLimitedError,
      fields: { code: 'rate_limited', status: 429, retryAfter: 600 },
    },
    {
      reply: failure(502, 'connection_failed'),
      type: ConnectionError,
      fields: { code: 'connection_failed', status: 502 },
    },
    {
      reply: failure(504, 'upstream_timeout'),
      type: TimeoutError,
      fields: { code: 'upstream_timeout', status: 504 },
    },
    {
      reply: failure(404, 'connection_not_found'),
      type: ServiceError,
      fields: { code: 'connection_not_found', status: 404 },
    },
  ])('becomes a $type.name for the code $fields.code', async ({ reply, type, fields }) => {
    const { svc } = fakeService([() => reply]);
    const error = await caught(svc.call(post, { timeout: 1000 }));
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ ...fields, message: `It is ${fields.code}.`, requestId: 'req_1' });
  });

  test('has the same class for a proxied request', async () => {
    const { svc } = fakeService([() => failure(409, 'account_not_authorized', notAuthorized)]);
    expect(await caught(svc.request(proxied))).toBeInstanceOf(AccountNotAuthorizedError);
  });
});

test('AccountNotAuthorizedError.getLink requests the authorization link of the account', async () => {
  const link = { link: 'https://svc.example/connect/abc', expiresAt: '2026-11-20T12:30:00.000Z' };
  const { svc, requests } = fakeService([
    () => failure(409, 'account_not_authorized', notAuthorized),
    () => json(link),
  ]);
  const error = await caught(svc.call(post));
  if (!(error instanceof AccountNotAuthorizedError)) throw error;
  expect(await error.getLink()).toEqual(link);
  expect(requests[1]?.method).toBe('POST');
  expect(requests[1]?.url).toBe(`https://svc.example${notAuthorized.authorizationLinkPath}`);
});

describe('an error of the upstream', () => {
  test.each([
    {
      title: 'JSON',
      body: '{"error":{"code":"x"}}',
      type: 'application/json',
      parsed: { error: { code: 'x' } },
    },
    { title: 'text', body: 'No such page', type: 'text/plain', parsed: 'No such page' },
  ])('contains status and body for $title', async ({ body, type, parsed }) => {
    const headers = { 'content-type': type, 'retry-after': '7' };
    const { svc } = fakeService([() => handedOn(body, { status: 429, headers })]);
    const error = await caught(svc.request(proxied));
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ code: 'upstream_failed', status: 429, body: parsed, retryAfter: 7 });
  });

  test('has a message without the URL, which identifies the user', async () => {
    const { svc } = fakeService([() => handedOn('', { status: 404 })]);
    const { message } = (await caught(svc.request({ ...proxied, path: '/people?name=grace' }))) as Error;
    expect(message).toBe('The upstream responded to POST with HTTP 404. See body.');
  });

  test.each([
    { body: { error: { message: 'Missing start time.' } }, reason: 'Missing start time.' },
    { body: { message: 'Not found', error: 'x' }, reason: 'Not found' },
    { body: { error: 'invalid_grant', error_description: 'Expired' }, reason: 'Expired' },
    { body: { error: 'access_denied' }, reason: 'access_denied' },
    { body: { message: `${'a'.repeat(299)}😀` }, reason: `${'a'.repeat(299)}\ufffd` },
  ])('has a message with the reason $reason', async ({ body, reason }) => {
    const reply = handedOn(JSON.stringify(body), {
      status: 400,
      headers: { 'content-type': 'application/json' },
    });
    const { svc } = fakeService([() => reply]);
    expect(await caught(svc.request(proxied))).toMatchObject({
      message: `The upstream responded to POST with HTTP 400: ${reason}`,
      body,
    });
  });

  test.each([null, 'Bad', [], { error: null }, { message: 5 }])(
    'has a message without a reason for the JSON body %j',
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      const { svc } = fakeService([() => handedOn(JSON.stringify(body), { status: 400, headers })]);
      expect(await caught(svc.request(proxied))).toMatchObject({
        message: 'The upstream responded to POST with HTTP 400. See body.',
      });
    },
  );

  test('is thrown for a streamed request', async () => {
    const { svc } = fakeService([
      () =>
        handedOn('{"reason":"deleted"}', { status: 410, headers: { 'content-type': 'application/json' } }),
    ]);
    const error = await caught(svc.request(proxied, { stream: true }));
    expect(error).toMatchObject({ code: 'upstream_failed', status: 410, body: { reason: 'deleted' } });
  });
});

describe('a call without a response', () => {
  test('contains the URL of the unreachable service and the cause', async () => {
    const cause = new TypeError('fetch failed');
    const { svc } = fakeService([() => Promise.reject(cause)]);
    const error = await caught(svc.call(post));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'connection_failed', cause });
    expect(error).not.toHaveProperty('status');
    expect(String(error)).toContain('Check that it runs. Check environmentUrl (https://svc.example)');
  });

  test.each([
    {
      title: 'a proxied request',
      send: (svc: Client) => svc.request({ ...proxied, path: '/people?name=grace' }),
    },
    {
      title: 'an authorization link request',
      send: (svc: Client) => svc.getAuthorizationLink({ connectionName: 'calendar', identifier: 'grace' }),
    },
  ])('names only the origin of the service in the error of $title', async ({ send }) => {
    const options = { maxRetries: 0, timeout: 5 };
    const lost = fakeService([() => Promise.reject(new TypeError('fetch failed'))], options);
    const late = fakeService([() => new Promise<Response>(() => {})], options);
    for (const { svc } of [lost, late])
      expect(String(await caught(send(svc)))).toMatch(
        /(timed out: [A-Z]+ https:\/\/svc\.example|environmentUrl \(https:\/\/svc\.example\) and any proxy in front of the service\.)$/,
      );
  });

  test('times out after the timeout of the call', async () => {
    const { svc } = fakeService([() => new Promise<Response>(() => {})]);
    const error = await caught(svc.call(post, { timeout: 5 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout' });
    expect(error).not.toHaveProperty('status');
  });

  test('times out if the body never ends', async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    });
    const headers = { 'content-type': 'application/json' };
    const { svc } = fakeService([() => new Response(endless, { headers })], { timeout: 20 });
    expect(await caught(svc.call(post))).toBeInstanceOf(TimeoutError);
  });

  test('rejects with the reason of an abort', async () => {
    const { svc } = fakeService([() => new Promise<Response>(() => {})]);
    const abort = new AbortController();
    const call = caught(svc.call(post, { signal: abort.signal }));
    abort.abort('changed my mind');
    expect(await call).toBe('changed my mind');
  });

  test('sends nothing if the signal is already aborted', async () => {
    const { svc, requests } = fakeService([() => json({})]);
    const call = svc.call(post, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests.filter((request) => !request.signal.aborted)).toEqual([]);
  });
});

test.each([
  {
    title: 'an HTML error page',
    reply: new Response('<html>', { status: 404, headers: { 'content-type': 'text/html' } }),
  },
  {
    title: 'a redirect',
    reply: new Response(null, { status: 301, headers: { location: 'https://elsewhere.example' } }),
  },
])('$title instead of a service response becomes unexpected_response', async ({ reply }) => {
  const { svc } = fakeService([() => reply]);
  expect(await caught(svc.call(post))).toMatchObject({
    code: 'unexpected_response',
    status: reply.status,
    message: expect.stringContaining(`Check environmentUrl (${environmentUrl})`),
  });
});

test('JSON of an error contains its message, code and fields', async () => {
  const { svc } = fakeService([() => failure(409, 'conflict', { limit: 5 })]);
  expect(JSON.parse(JSON.stringify(await caught(svc.call(post))))).toMatchObject({
    name: 'ServiceError',
    message: 'It is conflict.',
    code: 'conflict',
    status: 409,
    limit: 5,
  });
});

test('a redirect that a browser hides becomes unexpected_response', async () => {
  // A browser reports the status 0 for such a response, which the class Response cannot have.
  const hidden = Object.defineProperties(new Response(''), { status: { value: 0 }, ok: { value: false } });
  const { svc } = fakeService([() => hidden]);
  await expect(svc.call({ method: 'GET', path: '/v1/tools' })).rejects.toMatchObject({
    code: 'unexpected_response',
  });
});

test('an HTML page with status 200 becomes unexpected_response', async () => {
  const { svc, requests } = fakeService([
    () => new Response('<html>', { headers: { 'content-type': 'text/html', 'svc-request-id': 'req_1' } }),
  ]);
  const error = await caught(svc.call({ ...post, method: 'GET' }));
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200, requestId: 'req_1' });
  expect(requests).toHaveLength(1);
});

test.each([
  {
    title: 'an idempotency key with characters that no header allows',
    run: (svc: Client) => svc.call(post, { idempotencyKey: 'заказ' }),
  },
  {
    title: 'an infinite timeout',
    run: (svc: Client) => svc.call(post, { timeout: Number.POSITIVE_INFINITY }),
  },
  {
    title: 'a circular body',
    run: (svc: Client) => {
      const body: { self?: object } = {};
      body.self = body;
      return svc.call({ ...post, body });
    },
  },
  { title: 'a GET with a body', run: (svc: Client) => svc.call({ ...post, method: 'GET', body: {} }) },
])('$title becomes invalid_request and sends nothing', async ({ run }) => {
  const { svc, requests } = fakeService([() => json({})]);
  expect(await caught(run(svc))).toMatchObject({ code: 'invalid_request', cause: expect.any(Error) });
  expect(requests).toHaveLength(0);
});

test('the error of a HEAD request comes from the response headers', async () => {
  const headers = { 'svc-error': 'account_not_found', 'svc-request-id': 'req_9' };
  const { svc } = fakeService([() => new Response(null, { status: 404, headers })]);
  const error = await caught(svc.request({ ...proxied, method: 'HEAD' }));
  expect(error).toMatchObject({ code: 'account_not_found', status: 404, requestId: 'req_9' });
});

test('an upstream error contains the request id of the service', async () => {
  const { svc } = fakeService([() => json({}, { status: 404, headers: { 'svc-request-id': 'req_9' } })]);
  expect(await caught(svc.request(proxied))).toMatchObject({ code: 'upstream_failed', requestId: 'req_9' });
});

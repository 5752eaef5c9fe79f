import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS, type Sent } from '../support/requests/request-limits.js';
import { rounds } from '../support/runner/rounds.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

let service: Service;
let application: Application;

const upstream = createServer((request, reply) => {
  request.resume().on('end', () => reply.end('{}'));
});

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  service = await startService({ connectors: [], flags: ['--allowed-origins', `convintel=${origin}`] });
  application = await signIn(service);
  const made = await application.call('POST', '/v1/connections', {
    body: { connectionName: 'limits', connector: 'convintel', baseUrl: origin },
  });
  expect(made.status).toBe(201);
  const body = { bearerToken: 'key' };
  await application.call('PUT', '/v1/connections/limits/accounts/user_42', { body });
});
afterAll(async () => {
  await service.stop();
  upstream.close();
});

/** Sends a request on a new connection, without additional headers. */
async function send({ method = 'GET', path, headers = {}, body = '' }: Sent) {
  const request = httpRequest(service.url + path, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${application.accessToken}`, ...headers },
  });
  const responding = once(request, 'response');
  if (typeof body === 'string') request.end(body);
  else body.on('error', () => undefined).pipe(request);
  const [reply] = await responding;
  const { statusCode: status, headers: replyHeaders } = reply;
  return { status, code: replyHeaders['svc-error'], text: await text(reply) };
}

describe('A10: a request may contain', () => {
  test.each(LIMITS.filter(({ isLong }) => !isLong || rounds(20) > 1))(
    '$most $what, and not one more',
    async ({ given, most, taken, refused }) => {
      const target = { url: service.url, accessToken: application.accessToken };
      const largest = await send(given(most, target));
      expect([largest.status, largest.text.slice(0, 300)]).toEqual([taken, expect.anything()]);
      const larger = await send(given(most + 1, target));
      expect([larger.status, larger.code]).toEqual(refused);
      // HTML error pages have a different text, so only JSON errors are checked.
      if (larger.status === 413 && larger.text.startsWith('{'))
        expect(larger.text).toContain(`The body is larger than the maximum of ${most} bytes`);
    },
    300_000,
  );
});

interface Hostile {
  readonly what: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOSTILE: readonly Hostile[] = [
  { what: 'parameters', url: `/v1/executions?${'a&'.repeat(4000)}` },
  {
    what: 'distinct parameters',
    url: `/v1/executions?${Array.from({ length: 1200 }, (_, index) => `p${index}&`).join('')}`,
  },
  { what: 'equal parameters', url: `/v1/executions?${'pageSize=1&'.repeat(700)}` },
  { what: 'escapes in a query', url: `/v1/executions?pageToken=${'%41'.repeat(2600)}` },
  { what: 'escapes in a path', url: `/v1/tools/${'%41'.repeat(340)}` },
  { what: 'segments', url: '/a'.repeat(4000) },
  { what: 'cookies', url: '/operator/v1/session', headers: { cookie: 'a=b; '.repeat(2000) } },
  {
    what: 'backslashes in a cookie',
    url: '/operator/v1/session',
    headers: { cookie: `a="${'\\'.repeat(9000)}` },
  },
  {
    what: 'spaces before a token',
    url: '/v1/connectors',
    headers: { authorization: `Bearer ${' '.repeat(12_000)}` },
  },
  {
    what: 'parameters of a content type',
    url: '/v1/executions',
    headers: { 'content-type': `application/json${'; a="b'.repeat(2000)}` },
  },
];

test.each(HOSTILE)(
  'A11: many $what cost little CPU and get a short response',
  async ({ url, headers = {} }) => {
    const authorization = `Bearer ${application.accessToken}`;
    const costs: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const { user } = process.threadCpuUsage();
      const reply = await service.app.server.inject({ url, headers: { authorization, ...headers } });
      costs.push(process.threadCpuUsage().user - user);
      expect(reply.statusCode).toBeLessThan(500);
      expect(reply.payload.length).toBeLessThan(8192);
    }
    // CPU time in microseconds. An algorithm with quadratic cost would need about 1 s for these inputs.
    expect(Math.min(...costs)).toBeLessThan(50_000);
  },
);

import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { narrowToken } from '../../src/tokens/token-chain.js';
import { type Application, fetchReply, type Reply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const LIST = '/calendar/v3/users/me/calendarList';

let service: Service;
let owner: Application;
let accountId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'video'] });
  owner = await signIn(service);
  accountId = (await connectAccount(service, 'calendar', 'ada')).id;
  await connectAccount(service, 'video', 'ada');
});
afterAll(() => service.stop());

async function issue(limits: object): Promise<string> {
  const body = { identifier: 'ada', ...limits };
  const reply = await owner.call('POST', '/v1/account-tokens', { body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json<{ token: string }>().token;
}

const send = (token: string, path: string, init: RequestInit = {}): Promise<Reply> =>
  fetchReply(service.proxyUrl + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });

describe('the proxy port', () => {
  test.each([
    { title: 'a connection and a user', limits: () => ({ connections: ['calendar'] }) },
    { title: 'an account by its id', limits: () => ({ accounts: [accountId] }) },
  ])('serves the paths of the upstream at / for a token limited to $title', async ({ limits }) => {
    const reply = await send(await issue(limits()), `${LIST}?maxResults=1`);
    expect(reply.status, reply.text).toBe(200);
    const byPath = await owner.call('GET', `/v1/proxy/calendar/ada${LIST}?maxResults=1`);
    expect(reply.json()).toEqual(byPath.json());
  });

  test('forwards methods and bodies unchanged', async () => {
    const token = await issue({ connections: ['calendar'] });
    const event = {
      summary: 'Review',
      start: { dateTime: '2026-12-01T09:00:00Z' },
      end: { dateTime: '2026-12-01T10:00:00Z' },
    };
    const made = await send(token, '/calendar/v3/calendars/primary/events', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect(made.status, made.text).toBe(200);
    const path = `/calendar/v3/calendars/primary/events/${made.json<{ id: string }>().id}`;
    expect((await send(token, path)).json()).toMatchObject({ summary: 'Review' });
    expect((await send(token, path, { method: 'DELETE' })).status).toBe(204);
  });

  test.each([
    { title: 'every connection of the user', limits: {}, code: 'not_permitted' },
    { title: 'two connections', limits: { connections: ['calendar', 'video'] }, code: 'not_permitted' },
    { title: 'an unknown account', limits: { accounts: ['acct_none'] }, code: 'account_not_found' },
    {
      title: 'a user who never connected',
      limits: { identifier: 'newcomer', connections: ['calendar'] },
      code: 'account_not_authorized',
    },
    {
      title: 'reading, with a POST request',
      limits: { connections: ['calendar'], readOnly: true },
      method: 'POST',
      code: 'not_permitted',
    },
    {
      title: 'an empty list of proxy paths',
      limits: { connections: ['calendar'], proxy: [] },
      code: 'not_permitted',
    },
    {
      title: 'one connection, with the method OPTIONS',
      limits: { connections: ['calendar'] },
      method: 'OPTIONS',
      code: 'method_not_allowed',
    },
  ])('refuses a token limited to $title', async ({ limits, method = 'GET', code }) => {
    const reply = await send(await issue(limits), LIST, { method });
    expect(reply.json()).toMatchObject({ error: { code } });
  });

  test('refuses a token that its bearer limited to an unknown connection', async () => {
    const token = narrowToken(await issue({}), { connections: ['none'] });
    expect((await send(token, LIST)).json()).toMatchObject({ error: { code: 'connection_not_found' } });
  });

  test('refuses an account of another user', async () => {
    const token = await issue({ identifier: 'bob', accounts: [accountId] });
    expect((await send(token, LIST)).json()).toMatchObject({ error: { code: 'not_permitted' } });
  });

  test('refuses the access token of the application and a missing token', async () => {
    expect((await send(owner.accessToken, LIST)).json()).toMatchObject({ error: { code: 'not_permitted' } });
    expect((await fetchReply(service.proxyUrl + LIST)).status).toBe(401);
  });

  test.each([
    {
      title: 'a client of the API',
      path: '/oauth/token',
      method: 'POST',
      headers: {},
      says: 'The request has no bearer token.',
    },
    {
      title: 'an unknown token',
      path: LIST,
      method: 'GET',
      headers: { authorization: 'Bearer svc_at_x' },
      says: 'The token is invalid or has expired.',
    },
  ])('refuses $title with the address of the API', async ({ path, method, headers, says }) => {
    const reply = await fetchReply(service.proxyUrl + path, { method, headers });
    const advice = `This is the proxy port, which sends requests to upstreams. Send an account token from POST /v1/account-tokens. The API of the service is at ${service.url}.`;
    expect(reply.json()).toMatchObject({ error: { code: 'unauthorized', message: `${says} ${advice}` } });
  });

  test.each([
    '/healthz',
    '/dashboard',
    '/openapi.json',
    '/operator/v1/session',
    '/connect/x',
    '/v1/connections',
    '/oauth/token',
  ])('does not serve routes of the service: %s', async (path) => {
    expect((await fetchReply(service.proxyUrl + path)).status).toBe(401);
    const reply = await send(await issue({ connections: ['calendar'] }), path);
    // Status 404 without `svc-error` is the upstream's response: the proxy port forwards every path.
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([404, null]);
  });

  test.each([`//127.0.0.1${LIST}`, '/calendar/../x', '/calendar/%2e%2e/x', '/\\\\x'])(
    'refuses the path %s',
    async (path) => {
      const token = await issue({ connections: ['calendar'] });
      const { port } = new URL(service.proxyUrl);
      const [status, code] = await new Promise<unknown[]>((resolve, reject) => {
        httpRequest(
          { port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${token}` } },
          async (reply) => {
            await text(reply);
            resolve([reply.statusCode, reply.headers['svc-error']]);
          },
        )
          .on('error', reject)
          .end();
      });
      expect([status, code]).toEqual([400, 'invalid_request']);
    },
  );
});

test('only the proxy port serves paths of upstreams at /', async () => {
  const token = await issue({ connections: ['calendar'] });
  const reply = await fetchReply(service.url + LIST, { headers: { authorization: `Bearer ${token}` } });
  expect(reply.status).toBe(404);
});

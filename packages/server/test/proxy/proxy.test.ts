import { createHash, randomBytes } from 'node:crypto';
import type { RecordedRequest } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const EVENTS = '/calendar/v3/calendars/primary/events';

let service: Service;
let application: Application;

beforeAll(async () => {
  service = await startService();
  application = await signIn(service);
  await connectAccount(service, 'workspace');
  await connectAccount(service, 'calendar');
});

afterAll(() => service.stop());

beforeEach(() => service.sandbox.clearRequests());

afterEach(() => service.sandbox.dials('workspace', { failNext: null }));

const workspace = { connectionName: 'workspace', identifier: 'user_42' };
const calendar = { connectionName: 'calendar', identifier: 'user_42' };

async function received(): Promise<RecordedRequest> {
  const [request, ...others] = await service.sandbox.requests();
  if (request === undefined || others.length > 0) throw new Error(`${others.length} more requests came.`);
  return request;
}

interface Executions {
  readonly items: readonly { readonly kind: string; readonly method: string }[];
}

async function lastExecution() {
  const { items } = (await application.call('GET', '/v1/executions?pageSize=1')).json<Executions>();
  return items[0];
}

describe('a proxied request', () => {
  test.each([
    {
      title: 'a read with a query',
      request: {
        ...calendar,
        path: EVENTS,
        method: 'GET' as const,
        queryParams: new URLSearchParams([
          ['q', 'Lunch & more?'],
          ['eventTypes', 'default'],
          ['eventTypes', 'focusTime'],
        ]),
      },
      expected: {
        method: 'GET',
        path: EVENTS,
        query: { q: 'Lunch & more?', eventTypes: ['default', 'focusTime'] },
        body: undefined,
        status: 200,
      },
    },
    {
      title: 'a write with a body and headers',
      request: {
        ...workspace,
        path: '/v1/search',
        method: 'POST' as const,
        body: { query: 'Wëlcome', page_size: 1 },
        headers: { 'X-Trace': 'a1', 'Accept-Language': 'en' },
      },
      expected: {
        method: 'POST',
        path: '/v1/search',
        query: {},
        headers: { 'content-type': 'application/json', 'x-trace': 'a1', 'accept-language': 'en' },
        body: { query: 'Wëlcome', page_size: 1 },
        status: 200,
      },
    },
    {
      title: 'an id that needs escapes',
      request: {
        ...calendar,
        path: '/calendar/v3/calendars/en.uk%23holiday%40group.v.calendar.google.com/events',
        method: 'GET' as const,
      },
      expected: {
        path: '/calendar/v3/calendars/en.uk%23holiday%40group.v.calendar.google.com/events',
        status: 200,
      },
    },
  ])('P2, P3: arrives unchanged: $title', async ({ request, expected }) => {
    const reply = await service.svc.request(request);

    expect(reply.status).toBe(expected.status);
    expect(await received()).toMatchObject(expected);
  });

  test('P5: carries the credentials of the account and no credentials of the caller', async () => {
    const headers = {
      cookie: 'session=1',
      'x-forwarded-for': '10.0.0.1',
    };

    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me', { headers });

    const sent = (await received()).headers;
    expect(reply.json()).toMatchObject({
      bot: { owner: { user: { person: { email: 'ada@example.com' } } } },
    });
    expect(sent['authorization']).toMatch(/^Bearer /);
    for (const name of Object.keys(headers)) expect(sent).not.toHaveProperty(name);
    expect(sent['host']).toBe(new URL(service.sandbox.url).host);
  });

  test.each([
    { path: '/v1/proxy/workspace/user_42/v1/users/me', name: 'x-http-method-override', value: 'GET' },
    { path: '/v1/proxy/workspace/user_42/v1/users/me', name: 'x-method-override', value: 'DELETE' },
    { path: `/v1/proxy/calendar/user_42${EVENTS}`, name: 'x-http-method', value: 'GET' },
    { path: `/v1/proxy/calendar/user_42${EVENTS}`, name: 'x-http-method-override', value: 'TRACE' },
  ])('is refused with a method in $name that the upstream ignores: $path', async ({ path, name, value }) => {
    await service.sandbox.clearRequests();
    const reply = await application.call('POST', path, { headers: { [name]: value } });

    expect(reply.status).toBe(400);
    expect(reply.headers.get('svc-error')).toBe('invalid_request');
    expect(await service.sandbox.requests()).toEqual([]);
  });

  test('P7: is checked and recorded as the method in its method override header', async () => {
    const headers = { 'x-http-method-override': 'GET', 'content-type': 'application/x-www-form-urlencoded' };
    const authorization = `Bearer ${application.accessToken}`;
    const reply = await fetchReply(`${service.url}/v1/proxy/calendar/user_42${EVENTS}`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body: 'maxResults=1',
    });

    expect(reply.json()).toMatchObject({ kind: 'calendar#events' });
    expect((await received()).headers['x-http-method-override']).toBe('GET');
    expect(await lastExecution()).toMatchObject({ kind: 'proxy', method: 'GET' });
  });

  test.each([
    { title: 'the default of the connector', headers: {}, version: '2022-06-28', status: 200 },
    {
      title: 'the version of the caller',
      headers: { 'notion-version': '2025-09-03' },
      version: '2025-09-03',
      status: 200,
    },
    {
      title: 'an unknown version',
      headers: { 'Notion-Version': '1999-01-01' },
      version: '1999-01-01',
      status: 400,
    },
  ])('carries an API version: $title', async ({ headers, version, status }) => {
    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me', { headers });

    expect(reply.status).toBe(status);
    expect((await received()).headers['notion-version']).toBe(version);
  });
});

describe('a proxied response', () => {
  test('returns status, headers and body in each step of an event', async () => {
    const body = { summary: 'Proxied', start: { date: '2026-12-01' }, end: { date: '2026-12-02' } };
    const created = await service.svc.request<{ id: string; etag: string }>({
      ...calendar,
      path: EVENTS,
      method: 'POST',
      body,
    });
    const path = `${EVENTS}/${created.data.id}`;
    const ifNoneMatch = { 'if-none-match': created.data.etag };
    const unchanged = await application.call('GET', `/v1/proxy/calendar/user_42${path}`, {
      headers: ifNoneMatch,
    });
    const head = await service.svc.request({ ...calendar, path, method: 'HEAD' });
    const deleted = await application.call('DELETE', `/v1/proxy/calendar/user_42${path}`);
    const again = await application.call('DELETE', `/v1/proxy/calendar/user_42${path}`);

    expect(created.headers.get('etag')).toBe(created.data.etag);
    expect(created.data).toMatchObject(body);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(head.headers.get('etag')).toBe(created.data.etag);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(again.status).toBe(410);
    expect(again.json()).toMatchObject({ error: { errors: [{ reason: 'deleted' }] } });
  });

  test('P8: can be a redirect, which is not followed', async () => {
    const headers = { location: 'https://files.example.com/signed' };
    await service.sandbox.dials('workspace', { failNext: { count: 1, status: 302, headers } });

    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me');

    expect([reply.status, reply.headers.get('location')]).toEqual([302, headers.location]);
    await received();
  });

  test('P9: streams 8 MiB in both directions without a changed byte', async () => {
    const sent = randomBytes(6 * 1024 * 1024).toString('base64');
    const payload = randomBytes(6 * 1024 * 1024).toString('base64');
    await service.sandbox.dials('workspace', { failNext: { count: 1, status: 200, body: payload } });

    const response = await service.svc.request(
      {
        ...workspace,
        path: '/v1/file_uploads/1/send',
        method: 'POST',
        form_data: new Blob([sent]).stream(),
        headers: { 'content-type': 'application/octet-stream' },
      },
      { stream: true },
    );

    const digest = (text: unknown) => createHash('sha256').update(String(text)).digest('hex');
    expect(digest(await response.text())).toBe(digest(payload));
    const { body, headers } = await received();
    expect(digest(body)).toBe(digest(sent));
    expect(headers['content-type']).toBe('application/octet-stream');
  });
});

import { type ConnectedAccount, UpstreamError } from '@svc/core';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { executeTool } from '../support/tools/execute-tool.js';

const CAPABILITY = {
  object: 'error',
  status: 403,
  code: 'restricted_resource',
  message: 'Insufficient permissions for this endpoint.',
  additional_data: { capability: ['read_comments'] },
  request_id: 'b5b8e6ba-0d3f-4d5b-9c43-3dbbd5a2a0cf',
};
const EDGE_PAGE = '<html><body><h1>403 Forbidden</h1></body></html>';

let service: Service;
let application: Application;
let account: ConnectedAccount;
let pages: Workspace;

beforeAll(async () => {
  service = await startService({ connectors: ['workspace'] });
  application = await signIn(service);
  account = await connectAccount(service, 'workspace');
  pages = workspace(service.svc, account);
});

afterAll(() => service.stop());

afterEach(() => service.sandbox.dials('workspace', { failNext: null }));

const failNext = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  service.sandbox.dials('workspace', { failNext: { count: 1, status, body, headers } });

test.each([
  { title: 'JSON', body: CAPABILITY, headers: {}, expected: CAPABILITY },
  { title: 'an HTML page', body: EDGE_PAGE, headers: { 'content-type': 'text/html' }, expected: EDGE_PAGE },
  { title: 'truncated JSON', body: '{"object":"error"', headers: {}, expected: '{"object":"error"' },
  { title: 'an empty body', body: '', headers: {}, expected: null },
])(
  'the error of a tool contains the whole error of the upstream: $title',
  async ({ body, headers, expected }) => {
    await failNext(403, body, { ...headers, 'x-notion-request-id': 'of-the-upstream' });

    const reply = await executeTool(application, 'workspace_users_list', { connectedAccountId: account.id });

    expect(reply.status).toBe(424);
    expect(reply.headers.get('svc-error')).toBe('upstream_failed');
    expect(reply.json()).toMatchObject({
      error: {
        code: 'upstream_failed',
        details: { status: 403, body: expected, requestId: 'of-the-upstream' },
        requestId: expect.not.stringContaining('of-the-upstream'),
      },
    });
  },
);

test.each([
  { title: 'JSON', body: CAPABILITY, type: 'application/json', text: JSON.stringify(CAPABILITY) },
  { title: 'an HTML page', body: EDGE_PAGE, type: 'text/html', text: EDGE_PAGE },
])(
  'the proxy returns an error of the upstream unchanged and without svc-error: $title',
  async ({ body, type, text }) => {
    await failNext(403, body, { 'content-type': type, 'retry-after': '7', 'x-notion-request-id': 'theirs' });

    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me');

    expect([reply.status, reply.text]).toEqual([403, text]);
    expect(reply.headers.get('content-type')).toContain(type);
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.headers.get('x-notion-request-id')).toBe('theirs');
    expect(reply.headers.has('svc-error')).toBe(false);
  },
);

test('the proxy removes a svc-error header of the upstream', async () => {
  await failNext(403, CAPABILITY, { 'svc-error': 'account_not_authorized' });

  const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me');

  expect(reply.status).toBe(403);
  expect(reply.headers.has('svc-error')).toBe(false);
});

test('tool and proxy return the same error', async () => {
  const proxied = { connectionName: 'workspace', identifier: 'user_42', path: '/v1/users/me' };

  await failNext(403, CAPABILITY);
  const ofTool = await rejection(pages.usersList());
  await failNext(403, CAPABILITY);
  const ofProxy = await rejection(service.svc.request({ ...proxied, method: 'GET' }));

  for (const error of [ofTool, ofProxy]) {
    expect(error).toBeInstanceOf(UpstreamError);
    expect(error).toMatchObject({ code: 'upstream_failed', status: 403, body: CAPABILITY });
  }
});

test('an error contains the wait of the upstream in its details and in Retry-After', async () => {
  await failNext(429, undefined, { 'retry-after': '120' });

  const reply = await executeTool(application, 'workspace_users_list', { connectedAccountId: account.id });

  expect(reply.headers.get('retry-after')).toBe('120');
  expect(reply.json()).toMatchObject({ error: { details: { status: 429, retryAfter: 120 } } });
});

import { type Calendar, calendar } from '@svc/calendar';
import { type ConnectedAccount, UpstreamError } from '@svc/core';
import { type Workspace, workspace } from '@svc/workspace';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Application, signIn } from './application.js';
import { connectAccount, type Service, startService } from './service.js';
import { executeTool } from './support/execute-tool.js';
import { rejection } from './support/rejection.js';
import { titled } from './support/rich-text.js';

const ID = '59833787-2cf9-4fdf-8782-e53db20768a5';
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
let events: Calendar;

beforeAll(async () => {
  service = await startService();
  application = await signIn(service);
  account = await connectAccount(service, 'workspace');
  pages = workspace(service.svc, account);
  events = calendar(service.svc, await connectAccount(service, 'calendar'));
});

afterAll(() => service.stop());

afterEach(() => service.sandbox.dials('workspace', { failNext: null }));

const failNext = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  service.sandbox.dials('workspace', { failNext: { count: 1, status, body, headers } });

describe('an error of the upstream', () => {
  test.each([
    { title: 'JSON', body: CAPABILITY, headers: {}, expected: CAPABILITY },
    { title: 'a page', body: EDGE_PAGE, headers: { 'content-type': 'text/html' }, expected: EDGE_PAGE },
    { title: 'JSON that breaks off', body: '{"object":"error"', headers: {}, expected: '{"object":"error"' },
    { title: 'nothing', body: '', headers: {}, expected: null },
  ])('is handed over by a tool whole, and marked as ours: $title', async ({ body, headers, expected }) => {
    await failNext(403, body, { ...headers, 'x-notion-request-id': 'of-the-upstream' });

    const reply = await executeTool(application, 'workspace_users_list', { connectedAccountId: account.id });

    expect(reply.status).toBe(502);
    expect(reply.headers.get('svc-error')).toBe('upstream_failed');
    expect(reply.json()).toMatchObject({
      error: {
        code: 'upstream_failed',
        details: { status: 403, body: expected, requestId: 'of-the-upstream' },
        requestId: expect.not.stringContaining('of-the-upstream'),
      },
    });
  });

  test.each([
    { title: 'JSON', body: CAPABILITY, type: 'application/json', text: JSON.stringify(CAPABILITY) },
    { title: 'a page', body: EDGE_PAGE, type: 'text/html', text: EDGE_PAGE },
  ])('goes through the proxy untouched and unmarked: $title', async ({ body, type, text }) => {
    await failNext(403, body, { 'content-type': type, 'retry-after': '7', 'x-notion-request-id': 'theirs' });

    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me');

    expect([reply.status, reply.text]).toEqual([403, text]);
    expect(reply.headers.get('content-type')).toContain(type);
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.headers.get('x-notion-request-id')).toBe('theirs');
    expect(reply.headers.has('svc-error')).toBe(false);
  });

  test('cannot pass itself off as one of ours', async () => {
    await failNext(403, CAPABILITY, { 'svc-error': 'account_not_authorized' });

    const reply = await application.call('GET', '/v1/proxy/workspace/user_42/v1/users/me');

    expect(reply.status).toBe(403);
    expect(reply.headers.has('svc-error')).toBe(false);
  });

  test('comes to the caller of a tool and of the proxy as the same error', async () => {
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

  test('says how long to wait, by its details and by the header', async () => {
    await failNext(429, undefined, { 'retry-after': '120' });

    const reply = await executeTool(application, 'workspace_users_list', { connectedAccountId: account.id });

    expect(reply.headers.get('retry-after')).toBe('120');
    expect(reply.json()).toMatchObject({ error: { details: { status: 429, retryAfter: 120 } } });
  });
});

describe('the advice with an error', () => {
  const library = async () => {
    const { data: projects } = await pages.pagesSearch({ query: 'Projects' });
    const { data: children } = await pages.blockChildrenList({ block_id: `${projects.results?.[0]?.id}` });
    return `${children.results?.find(({ text }) => text === 'Library')?.id}`;
  };

  test('names the data-source tools for "Invalid request URL" on a database', async () => {
    await failNext(400, {
      object: 'error',
      status: 400,
      code: 'invalid_request_url',
      message: 'Invalid request URL.',
      request_id: ID,
    });

    const error = await rejection(pages.databaseQuery({ database_id: ID }));

    expect(error).toMatchObject({
      status: 400,
      body: { message: 'Invalid request URL.' },
      advice: expect.stringMatching(/workspace_data_source_fetch.*workspace_data_source_query/),
    });
  });

  test.each([
    {
      title: 'query',
      call: (id: string) => pages.databaseQuery({ database_id: id }),
    },
    {
      title: 'fetch',
      call: (id: string) => pages.databaseFetch({ database_id: id }),
    },
    {
      title: 'new row',
      call: (id: string) => pages.databaseInsertRow({ database_id: id, properties: titled('Alien') }),
    },
  ])('hands over the ids of the data sources of a database that has several: $title', async ({ call }) => {
    const id = await library();

    const error = await rejection(call(id));
    const { data: database } = await pages.dataSourceFetch({ database_id: id });
    const sources = database.data_sources?.map((source) => source.id) ?? [];
    const rows = await pages.dataSourceQuery({ data_source_id: `${sources[1]}` });

    expect(sources).toHaveLength(2);
    expect(error).toMatchObject({
      status: 400,
      body: { additional_data: { database_id: id, child_data_source_ids: sources } },
      advice: expect.stringMatching(/child_data_source_ids.*workspace_data_source_query/),
    });
    expect(rows.data.results).toHaveLength(2);
  });

  test.each([
    {
      title: 'a page that does not exist or is not shared',
      call: () => pages.pageFetch({ page_id: ID }),
      expected: { status: 404, body: { code: 'object_not_found' }, advice: /not shared.*Check the id/ },
    },
    {
      title: 'an event that does not exist',
      call: () => events.getEventById({ event_id: 'nothing' }),
      expected: {
        status: 404,
        body: { error: { errors: [{ reason: 'notFound' }] } },
        advice: /calendar_list_events give valid ids/,
      },
    },
    {
      title: 'an event of somebody else',
      call: () =>
        events.updateEvent({ calendar_id: 'primary', event_id: 'seedplanning', summary: 'Mine now' }),
      expected: {
        status: 403,
        body: { error: { errors: [{ reason: 'forbiddenForNonOrganizer' }] } },
        advice: /Only the organizer/,
      },
    },
  ])('says what to do about $title', async ({ call, expected }) => {
    const error = await rejection(call());

    expect(error).toMatchObject({ ...expected, advice: expect.stringMatching(expected.advice) });
    expect(error).toHaveProperty('message', expect.stringMatching(expected.advice));
  });
});

import { AccountNotAuthorizedError } from '@svc/core';
import { approve } from '@svc/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rejection } from '../support/rejection.js';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';
import { executeTool, type ToolCall } from '../support/tools/execute-tool.js';

let service: Service;
let application: Application;
let accountIds: { readonly workspace: string; readonly calendar: string };

beforeAll(async () => {
  service = await startService();
  application = await signIn(service);
  const workspace = await connectAccount(service, 'workspace');
  const calendar = await connectAccount(service, 'calendar');
  accountIds = { workspace: workspace.id, calendar: calendar.id };
});

afterAll(() => service.stop());

beforeEach(() => service.sandbox.clearRequests());

// Checks after each test that the invalid call sent nothing to the upstream.
afterEach(async () => expect(await service.sandbox.requests()).toEqual([]));

const execute = (toolName: string, call: Partial<ToolCall> = {}) =>
  executeTool(application, toolName, { connectedAccountId: accountIds.calendar, ...call });

describe('a call with an unknown object', () => {
  const event = { event_id: 'e1' };

  test.each([
    {
      title: 'a tool',
      call: () => execute('calendar_create_evnt'),
      status: 404,
      error: {
        code: 'tool_not_found',
        message:
          'There is no tool "calendar_create_evnt". Did you mean "calendar_create_event"? GET /v1/tools lists the tools.',
      },
    },
    {
      title: 'a connector',
      call: () =>
        application.call('POST', '/v1/connections', {
          body: { connectionName: 'new', connector: 'calender' },
        }),
      status: 404,
      error: {
        code: 'connector_not_found',
        message:
          'There is no connector "calender". Did you mean "calendar"? GET /v1/connectors lists the connectors.',
      },
    },
    {
      title: 'a schema version',
      call: () => execute('calendar_get_event_by_id', { toolInput: event, schemaVersion: '9.0.0' }),
      status: 400,
      error: {
        code: 'unknown_version',
        details: { available: [{ schemaVersion: '1.0.0', toolVersion: '1.0.0', status: 'current' }] },
      },
    },
    {
      title: 'a tool version',
      call: () => execute('calendar_get_event_by_id', { toolInput: event, toolVersion: '1.0.1' }),
      status: 400,
      error: { code: 'unknown_version', details: { available: [expect.anything()] } },
    },
    {
      title: 'a schema version in the input',
      call: () =>
        execute('workspace_database_query', {
          connectedAccountId: accountIds.workspace,
          toolInput: { database_id: '59833787-2cf9-4fdf-8782-e53db20768a5', schema_version: '0.9.0' },
        }),
      status: 400,
      error: { code: 'unknown_version', details: { available: [expect.anything()] } },
    },
    {
      title: 'an account id',
      call: () => execute('calendar_list_calendars', { connectedAccountId: 'acct_none' }),
      status: 404,
      error: { code: 'account_not_found' },
    },
    {
      title: 'an identifier that is sent as an account id',
      call: () => execute('calendar_list_calendars', { connectedAccountId: 'user_42' }),
      status: 404,
      error: {
        code: 'account_not_found',
        message:
          'There is no connected account "user_42". Ids of accounts begin with "acct_". To name the account of a user, send connectionName and identifier instead of an id.',
      },
    },
    {
      title: 'a connection',
      call: () => application.call('GET', '/v1/proxy/calender/user_42/calendar/v3/users/me/calendarList'),
      status: 404,
      error: { code: 'connection_not_found', message: expect.stringContaining('"calender"') },
    },
    {
      title: 'the connection of a tool',
      call: () =>
        application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
          body: { connectionName: 'calender', identifier: 'user_42', toolInput: {} },
        }),
      status: 404,
      error: { code: 'connection_not_found', message: expect.stringContaining('"calender"') },
    },
    {
      title: 'an account that is read',
      call: () => application.call('GET', '/v1/connections/calendar/accounts/user_43'),
      status: 404,
      error: { code: 'account_not_found', message: expect.stringContaining('"user_43"') },
    },
    {
      title: 'an identifier with control characters',
      call: () =>
        application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
          body: { connectionName: 'calendar', identifier: 'a\nb', toolInput: {} },
        }),
      status: 400,
      error: { code: 'invalid_request', message: expect.stringContaining('control characters') },
    },
    {
      title: 'the connection of a new account',
      call: () => application.call('PUT', '/v1/connections/calender/accounts/user_42'),
      status: 404,
      error: { code: 'connection_not_found' },
    },
  ])('gets its own error code: $title', async ({ call, status, error }) => {
    const reply = await call();

    expect(reply.status).toBe(status);
    expect(reply.headers.get('svc-error')).toBe(error.code);
    expect(reply.json()).toMatchObject({ error });
  });

  test('is refused when the account belongs to another connector', async () => {
    const reply = await execute('calendar_list_calendars', { connectedAccountId: accountIds.workspace });

    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringMatching(
          /needs an account of the connector "calendar".*belongs to the connector "workspace"/,
        ),
        details: { errors: [{ field: 'connectedAccountId', rule: 'connector' }] },
      },
    });
  });

  test('is refused when a user without consent has the connection of another connector', async () => {
    const body = { connectionName: 'workspace', identifier: 'nobody', toolInput: {} };
    const reply = await application.call('POST', '/v1/tools/calendar_list_calendars/execute', { body });

    expect(reply.json()).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringMatching(
          /needs an account of the connector "calendar".*belongs to the connector "workspace"/,
        ),
        details: { errors: [{ field: 'connectionName', rule: 'connector' }] },
      },
    });
  });
});

const LIST_PATH = '/calendar/v3/users/me/calendarList';

describe('an account without consent', () => {
  const path = '/v1/connections/calendar/accounts/new%20user/authorization-link';
  const user = { connectionName: 'calendar', identifier: 'new user' };
  const byName = (more: object = {}) =>
    application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
      body: { ...user, toolInput: {}, ...more },
    });
  const proxied = () => application.call('GET', `/v1/proxy/calendar/new%20user${LIST_PATH}`);

  test('gets 409 with a link by tools and by the proxy, before and after it is created', async () => {
    // Only the account that does not exist yet is tested with `dryRun`: a dry run of an unauthorized account succeeds.
    const before = await Promise.all([byName(), byName({ dryRun: true }), proxied()]);
    expect((await application.call('GET', '/v1/connections/calendar/accounts/new%20user')).status).toBe(404);
    const account = await service.svc.getOrCreateConnectedAccount(user);

    const replies = await Promise.all([
      execute('calendar_list_calendars', { connectedAccountId: account.id }),
      byName(),
      proxied(),
    ]);

    for (const reply of [...before, ...replies]) {
      expect(reply.status).toBe(409);
      expect(reply.headers.get('svc-error')).toBe('account_not_authorized');
      expect(reply.json()).toMatchObject({
        error: {
          message: expect.stringContaining(`POST ${path}`),
          details: { ...user, status: 'unauthorized', authorizationLinkPath: path },
        },
      });
    }
  });

  test.each([
    { title: 'created before', identifier: 'new user', isMade: true },
    { title: 'unknown before', identifier: 'newcomer', isMade: false },
  ])('$title: the error contains the link, and the call works after the consent', async (each) => {
    const name = { connectionName: 'calendar', identifier: each.identifier };
    const list = { ...name, path: LIST_PATH, method: 'GET' as const };
    if (each.isMade) await service.svc.getOrCreateConnectedAccount(name);

    const error = await rejection(service.svc.request(list));
    if (!(error instanceof AccountNotAuthorizedError)) throw error;
    const { link } = await error.getLink();
    expect(await service.sandbox.requests()).toEqual([]);
    const approved = await approve(link, { user: 'grace' });
    const response = await service.svc.request<{ readonly items: readonly unknown[] }>(list);

    expect(approved.status).toBe(200);
    expect(response.status).toBe(200);
    expect(response.data.items).not.toEqual([]);
    await service.sandbox.clearRequests();
  });
});

import { calendar } from '@svc/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent, connectEarlier, firstText, mintToken, runAgent } from '../support/mcp/agent.js';
import { signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let token: string;
/** ID of a calendar event that no test changes. */
let eventId: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace'] });
  const account = await connectAccount(service, 'calendar');
  const { data } = await calendar(service.svc, account).createEvent(EVENT);
  eventId = data.id ?? '';
  token = await mintToken(service);
});

afterAll(() => service.stop());

const EVENT = { summary: 'Review', start_datetime: '2026-12-01T09:00:00Z', event_duration_minutes: 30 };
const LIST = { method: 'tools/list' };
const CALENDARS = { method: 'tools/call', params: { name: 'calendar_list_calendars', arguments: {} } };
const OF_CALENDAR = '/mcp/calendar';

test('tools/list returns a fixed order, annotations and schemas, cacheable per token', async () => {
  const { status, message } = await runAgent(service, LIST, { token, path: OF_CALENDAR });
  expect(status).toBe(200);
  expect(message.result).toMatchObject({
    resultType: 'complete',
    ttlMs: 300_000,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'svc-server' } },
  });
  const tools = message.result?.['tools'];
  expect(tools).toMatchObject([
    { name: 'calendar_create_all_day_event' },
    { name: 'calendar_create_event', annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: 'calendar_delete_event', annotations: { destructiveHint: true } },
    { name: 'calendar_get_calendar' },
    {
      name: 'calendar_get_event_by_id',
      annotations: { readOnlyHint: true },
      outputSchema: { type: 'object' },
    },
    { name: 'calendar_list_calendars' },
    { name: 'calendar_list_events' },
    { name: 'calendar_list_instances' },
    { name: 'calendar_query_free_busy' },
    { name: 'calendar_quick_add_event' },
    { name: 'calendar_respond_to_event' },
    { name: 'calendar_update_event' },
  ]);
});

test('tools/call returns its data as structured content and as text', async () => {
  const { message } = await runAgent(service, CALENDARS, { token, path: OF_CALENDAR });
  const result = message.result ?? {};
  expect(result).toMatchObject({ structuredContent: { items: expect.any(Array) }, resultType: 'complete' });
  expect(JSON.parse(firstText(result))).toEqual(result['structuredContent']);
});

// Request field that makes the official MCP library serve the request. The service's own code must send equal
// responses.
const DETOUR = { 'io.modelcontextprotocol/logLevel': 'error' };

const call = (name: string, input: object) => ({ method: 'tools/call', params: { name, arguments: input } });

describe.each([
  { title: 'a list', toMessage: () => LIST },
  { title: 'a call', toMessage: () => call('calendar_get_event_by_id', { event_id: eventId }) },
  { title: 'an invalid call', toMessage: () => call('calendar_list_events', { no: 1 }) },
  { title: 'an unknown tool', toMessage: () => call('calendar_nothing', {}) },
])('$title', ({ toMessage }) => {
  test('gets the same response with and without extra metadata', async () => {
    const path = OF_CALENDAR;
    const message = toMessage();
    const plain = await runAgent(service, message, { token, path });
    const detour = await runAgent(service, message, { token, path, meta: DETOUR });
    expect(plain.message).toEqual(detour.message);
    expect(plain.status).toBe(detour.status);
  });
});

test('an invalid input returns a text with the correct form and no structured content', async () => {
  const params = { name: 'calendar_create_event', arguments: { summary: 1 } };
  const { message } = await runAgent(service, { method: 'tools/call', params }, { token, path: OF_CALENDAR });
  expect(message.result).toMatchObject({
    isError: true,
    _meta: { 'svc/error': { code: 'invalid_input', retryable: false } },
  });
  expect(message.result).not.toHaveProperty('structuredContent');
  expect(firstText(message.result ?? {})).toMatch(/^invalid_input: .*start_datetime/s);
});

test('a paged result contains the hint for the next page as text and in its structured content', async () => {
  const create = (summary: string) => ({
    method: 'tools/call',
    params: {
      name: 'calendar_create_event',
      arguments: { summary, start_datetime: '2026-12-01T09:00:00Z', event_duration_minutes: 30 },
    },
  });
  for (const summary of ['one', 'two'])
    await runAgent(service, create(summary), { token, path: OF_CALENDAR });
  const params = { name: 'calendar_list_events', arguments: { calendar_id: 'primary', max_results: 1 } };
  const { message } = await runAgent(service, { method: 'tools/call', params }, { token, path: OF_CALENDAR });
  const { content, structuredContent } = message.result ?? {};
  const hint = expect.stringMatching(/^There is more: call again with page_token = "/);
  expect(content).toMatchObject([{ text: expect.stringMatching(/^\{"kind":/) }, { text: hint }]);
  expect(structuredContent).toMatchObject({ items: expect.any(Array), _hint: hint });
});

test.each([
  { title: 'a missing token', headers: {}, says: 'The request has no bearer token.' },
  {
    title: 'an unknown token',
    headers: { authorization: 'Bearer svc_at_x' },
    says: 'The token is invalid or has expired.',
  },
])('the error for $title names the operation that creates tokens for agents', async ({ headers, says }) => {
  const { error } = (await (await fetch(`${service.url}/mcp`, { method: 'POST', headers })).json()) as {
    readonly error: { readonly message: string };
  };
  expect(error.message).toBe(
    `${says} Send a token from POST /v1/agent-tokens in the header "Authorization: Bearer <token>". Or use /mcp/apps/{applicationId}, where an MCP client can sign in its user.`,
  );
});

test('the error for an unknown tool does not suggest a search that the endpoint lacks', async () => {
  const noTool = call('describe_tool', { name: 'calendar_nothing' });
  const { message } = await runAgent(service, noTool, { token, path: '/mcp/workspace' });
  expect(firstText(message.result ?? {})).toBe(
    'tool_not_found: You have no tool "calendar_nothing". Use a tool from the list of tools.',
  );
});

test.each([
  { given: {}, says: '"name" is required. Send a string.' },
  { given: { name: {} }, says: '"name" must be a string.' },
  { given: { tool: 'x' }, says: 'The input "tool" is unknown. Use only name, definition, include_output.' },
])('describe_tool explains its own invalid arguments: $says', async ({ given, says }) => {
  const { message } = await runAgent(service, call('describe_tool', given), {
    token,
    path: '/mcp/workspace',
  });
  expect(firstText(message.result ?? {})).toBe(`invalid_input: ${says}`);
});

describe('E1: an MCP endpoint accepts only tokens with its audience', () => {
  const challenge = /^Bearer .*resource_metadata="(.+)"$/;

  test.each([
    { title: 'no token', headers: {} },
    {
      title: 'a forged token',
      headers: { authorization: 'Bearer svc_nt_tok_000000000000000000000000.e30.AAAA' },
    },
  ])('$title gets 401 with the URL of the resource metadata', async ({ headers }) => {
    const { status, headers: replyHeaders } = await runAgent(service, LIST, { path: OF_CALENDAR, headers });
    expect(status).toBe(401);
    const [, url = ''] = challenge.exec(replyHeaders.get('www-authenticate') ?? '') ?? [];
    const document = await fetch(url);
    expect(await document.json()).toMatchObject({
      resource: `${service.url}${OF_CALENDAR}`,
      bearer_methods_supported: ['header'],
    });
  });

  test('a token with another audience is refused', async () => {
    const elsewhere = await mintToken(service, { audience: `${service.url}/mcp/workspace` });
    const { status, headers } = await runAgent(service, LIST, { token: elsewhere, path: OF_CALENDAR });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
    expect((await runAgent(service, LIST, { token: elsewhere })).status).toBe(401);
    expect((await runAgent(service, LIST, { token: elsewhere, path: '/mcp/workspace' })).status).toBe(200);
  });

  test('an access token of an application is refused', async () => {
    const { accessToken } = await signIn(service);
    expect((await runAgent(service, LIST, { token: accessToken })).status).toBe(403);
  });

  test('a revoked token is refused', async () => {
    const { call } = await signIn(service);
    const body = { identifier: 'user_42', expiresIn: 600 };
    const minted = (await call('POST', '/v1/agent-tokens', { body })).json<{ id: string; token: string }>();
    expect((await runAgent(service, LIST, { token: minted.token })).status).toBe(200);
    await call('DELETE', `/v1/agent-tokens/${minted.id}`);
    expect((await runAgent(service, LIST, { token: minted.token })).status).toBe(401);
  });

  test('E2: a page with an unregistered origin is refused', async () => {
    const { status } = await runAgent(service, LIST, { token, headers: { origin: 'https://evil.example' } });
    expect(status).toBe(403);
  });
});

describe('E4: an invalid message gets the error that the protocol defines', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...headers,
      },
      body,
    });

  test.each([
    { title: 'invalid JSON', body: '{', status: 400, code: -32700 },
    { title: 'a duplicate key', body: '{"jsonrpc":"2.0","jsonrpc":"2.0"}', status: 400, code: -32700 },
    { title: 'nesting that is too deep', body: '['.repeat(100) + ']'.repeat(100), status: 400, code: -32700 },
    {
      title: 'a batch of a thousand messages',
      body: `[${Array(1000).fill('{}').join()}]`,
      status: 400,
      code: -32600,
    },
    {
      title: 'a batch of two valid messages',
      body: `[${[1, 2].map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })).join()}]`,
      status: 400,
      code: -32600,
    },
    {
      title: 'an unknown cursor',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"page-2"}}',
      status: 200,
      code: -32602,
    },
    {
      title: 'an unknown method',
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/nothing"}',
      status: 200,
      code: -32601,
    },
  ])('$title', async ({ body, status, code }) => {
    const reply = await post(body);
    expect(reply.status).toBe(status);
    const text = await reply.text();
    const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '');
    expect(JSON.parse(json)).toMatchObject({ error: { code } });
  });

  test('a body above 1 MiB gets 413', async () => {
    expect((await post(`"${'a'.repeat(2 ** 20)}"`)).status).toBe(413);
  });

  test('a content type other than JSON gets 415', async () => {
    expect((await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s gets 405 because there are no sessions', async (method) => {
    const reply = await fetch(`${service.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    { title: 'another method', headers: { 'mcp-method': 'tools/list' } },
    { title: 'another tool', headers: { 'mcp-name': 'calendar_delete_event' } },
    { title: 'another revision', headers: { 'mcp-protocol-version': '2025-11-25' } },
  ])('headers that name $title than the body are refused', async ({ headers }) => {
    const { status, message } = await runAgent(service, CALENDARS, { token, path: OF_CALENDAR, headers });
    expect(status).toBe(400);
    expect(message.error?.code).toBe(-32020);
  });

  test('an unknown revision is refused', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const headers = { 'mcp-protocol-version': '2031-01-01' };
    const { status, message } = await runAgent(service, LIST, { token, headers, meta });
    expect([status, message.error?.code]).toEqual([400, -32022]);
  });

  test('subscriptions/listen gets 404 because there is no stream of changes', async () => {
    const { status, message } = await runAgent(service, { method: 'subscriptions/listen' }, { token });
    expect([status, message.error?.code]).toEqual([404, -32601]);
  });

  test('an unknown connector gets 404', async () => {
    expect((await runAgent(service, LIST, { token, path: '/mcp/nothing' })).status).toBe(404);
  });
});

test.each([
  ['2026-07-28', connectAgent],
  ['2025-11-25', connectEarlier],
] as const)('a client of %s gets instructions with the connectors', async (_, connect) => {
  const client = await connect(service, { token, path: OF_CALENDAR });
  expect(client.getInstructions()).toMatch(
    /^These tools act for one user in: calendar \(Google Calendar\)\./,
  );
  expect(client.getServerVersion()).toMatchObject({ name: 'svc-server', version: '0.0.0' });
  await client.close();
});

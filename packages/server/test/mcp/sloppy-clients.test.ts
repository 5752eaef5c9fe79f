import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintToken } from '../support/mcp/agent.js';
import { signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
  await connectAccount(service, 'calendar');
  token = await mintToken(service);
});
afterAll(() => service.stop());

const HEADERS = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };

async function post(body: string | Buffer<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) {
  const reply = await fetch(`${service.url}/mcp/calendar`, {
    method: 'POST',
    headers: { ...HEADERS, authorization: `Bearer ${token}`, ...headers },
    body,
  });
  const text = await reply.text();
  return { status: reply.status, type: reply.headers.get('content-type'), text };
}

const call = (input: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"calendar_list_events","arguments":${input}}}`;

test.each([
  { title: 'a lone surrogate', input: '{"calendar_id":"primary","search":"\\ud83d"}' },
  { title: 'a duplicate key', input: '{"calendar_id":"primary","calendar_id":"primary"}' },
  { title: 'a NUL character', input: '{"calendar_id":"a\\u0000"}' },
  { title: 'the number NaN', input: '{"calendar_id":"primary","max_results":NaN}' },
  { title: 'the number -Infinity', input: '{"calendar_id":"primary","max_results":-Infinity}' },
  { title: 'the key __proto__', input: '{"calendar_id":"primary","__proto__":{}}' },
  { title: 'nesting that is too deep', input: `{"calendar_id":${'['.repeat(40)}${']'.repeat(40)}}` },
])('a tool call asks the model to change arguments with $title', async ({ input }) => {
  const { status, text } = await post(call(input), { accept: 'application/json, text/event-stream' });
  expect({ status, ...JSON.parse(text) }).toMatchObject({
    status: 200,
    id: 7,
    result: {
      isError: true,
      content: [
        { text: expect.stringMatching(/^invalid_input: .+ Change the arguments, then call again\.$/) },
      ],
    },
  });
});

const filler = `"search":"${'x'.repeat(70_000)}"`;
test.each([
  { title: 'a lone surrogate', input: `{${filler},"calendar_id":"\\ud83d"}` },
  { title: 'a duplicate key', input: `{${filler},"calendar_id":"primary","calendar_id":"primary"}` },
  {
    title: 'more than 5,000 keys',
    input: `{${Array.from({ length: 9000 }, (_, index) => `"key${index}":1`)}}`,
  },
])('a tool call of more than 64 KiB with $title is answered with its id', async ({ input }) => {
  const { text } = await post(call(input));
  expect(JSON.parse(text)).toMatchObject({ id: 7, result: { isError: true } });
});

test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty'])(
  'a tool call reports the key "%s" as an unknown field',
  async (name) => {
    const { text } = await post(call(`{"calendar_id":"primary","${name}":1}`));
    expect(JSON.parse(text)).toMatchObject({
      id: 7,
      result: { isError: true, content: [{ text: expect.stringContaining(name) }] },
    });
    const api = await fetch(`${service.url}/v1/tools/calendar_list_events/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: `{"connectionName":"calendar","identifier":"user_42","toolInput":{"calendar_id":"primary","${name}":1}}`,
    });
    expect(await api.json()).toMatchObject({
      error: { code: expect.stringMatching(/invalid_input|not_permitted/) },
    });
  },
);

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}';

test.each([
  '*/*',
  '',
  'Application/JSON',
  'application/*',
  'application/json;q=0.5',
  'text/event-stream, application/json',
  'text/event-stream',
  'text/*',
  `${'image/png, '.repeat(30)}application/json`,
])('MCP responds to a client that sends Accept: %s', async (accept) => {
  for (const body of [LIST, INITIALIZE, call('{"calendar_id":"primary"}')]) {
    const { status, text } = await post(body, { accept });
    expect({ accept, status }).toEqual({ accept, status: 200 });
    expect(text).toContain('"jsonrpc":"2.0"');
  }
});

test.each(['application/json', '*/*', '*', ',', '', 'text/html, application/json'])(
  'MCP responds with JSON to a client that names no stream: Accept: %s',
  async (accept) => {
    for (const body of [LIST, INITIALIZE, call('{"calendar_id":"primary"}')]) {
      for (const version of ['2025-11-25', '2025-03-26']) {
        const { type, text } = await post(body, { accept, 'mcp-protocol-version': version });
        expect([accept, type]).toEqual([accept, 'application/json']);
        expect(JSON.parse(text)).toMatchObject({ result: {} });
      }
    }
  },
);

test('a tool call in invalid UTF-8 is answered with its id', async () => {
  const { status, text } = await post(Buffer.from(call('{"calendar_id":"\u00ff"}'), 'latin1'));
  expect([status, JSON.parse(text)]).toMatchObject([200, { id: 7, result: { isError: true } }]);
});

test.each(['text/html', 'application/json;q=0', 'image/*'])(
  'MCP refuses a client that accepts no JSON: Accept: %s',
  async (accept) => {
    expect((await post(LIST, { accept })).status).toBe(406);
  },
);

test('a client that accepts no stream gets JSON for a call with progress', async () => {
  const body = LIST.replace(
    'tools/list"',
    'tools/call","params":{"name":"calendar_list_events","arguments":{"calendar_id":"primary"},"_meta":{"progressToken":1}}',
  );
  const { status, type } = await post(body, { accept: 'application/json' });
  expect([status, type]).toEqual([200, 'application/json']);
});

test.each([
  {
    title: 'initialize',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'plain', version: '1' } },
  },
  { title: 'ping', method: 'ping', params: {} },
  { title: 'tools/list of an older version', method: 'tools/list', params: {} },
  {
    title: 'a tool call with an unknown field of _meta',
    method: 'tools/call',
    params: {
      name: 'calendar_list_events',
      arguments: { calendar_id: 'primary' },
      _meta: { other: true },
    },
  },
])('a client that accepts no stream gets JSON for $title', async ({ method, params }) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'first', method, params });
  const { status, type, text } = await post(body, {
    accept: 'application/json',
    'mcp-protocol-version': '2025-03-26',
  });
  expect([status, type]).toEqual([200, 'application/json']);
  expect(JSON.parse(text)).toMatchObject({ id: 'first', result: {} });
});

test.each([
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null,"_meta":null}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"calendar_list_calendars","_meta":{"progressToken":null}}}',
])('a member that is null or an empty list instead of an object is absent: %s', async (body) => {
  const { status, text } = await post(body, { accept: 'application/json' });
  expect([status, JSON.parse(text)]).toMatchObject([200, { id: 1, result: {} }]);
});

test('a dry run that is null is refused instead of run', async () => {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"calendar_list_calendars","_meta":{"svc/dryRun":null}}}';
  const { text } = await post(body);
  expect(JSON.parse(text)).toMatchObject({ id: 1, error: {} });
});

const create = (given: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'calendar_create_event',
      arguments: { summary: 'Loose', start_datetime: '2026-12-01T09:00:00Z', ...given },
    },
  });

test('a tool call converts strings and nulls to the type of the schema', async () => {
  const { text } = await post(
    create({
      attendees_emails: '["grace@example.com"]',
      event_duration_minutes: '45',
      create_meeting_room: 'true',
      location: null,
      description: null,
    }),
  );
  expect(JSON.parse(text)).toMatchObject({
    result: {
      structuredContent: {
        end: { dateTime: expect.stringContaining('09:45:00') },
        attendees: [{ email: 'grace@example.com' }],
        conferenceData: {},
      },
    },
  });
  const listed = await post(call('{"calendar_id":"primary","page_token":"","max_results":"1"}'));
  expect(JSON.parse(listed.text).result.structuredContent.items).toHaveLength(1);
});

test('a limit of the token applies to the converted value', async () => {
  const limited = await mintToken(service, {
    arguments: { calendar_create_event: { event_duration_minutes: { in: [30] } } },
  });
  const headers = { authorization: `Bearer ${limited}` };
  const refused = await post(create({ event_duration_minutes: '45' }), headers);
  expect(JSON.parse(refused.text)).toMatchObject({ result: { isError: true } });
  const taken = await post(create({ event_duration_minutes: '30' }), headers);
  expect(JSON.parse(taken.text)).toMatchObject({ result: { structuredContent: { summary: 'Loose' } } });
});

test('the HTTP API does not convert values', async () => {
  const { call: api } = await signIn(service);
  const body = {
    connectionName: 'calendar',
    identifier: 'user_42',
    toolInput: { calendar_id: 'primary', max_results: '1' },
  };
  expect((await api('POST', '/v1/tools/calendar_list_events/execute', { body })).status).toBe(400);
});

const LIST_EVENTS = '{"calendar_id":"primary"}';
const ARGUMENTS = [
  { name: 'calendar_list_events', given: LIST_EVENTS, isError: undefined },
  { name: 'calendar_list_calendars', given: null, isError: undefined },
  { name: 'calendar_list_calendars', given: '', isError: undefined },
  { name: 'calendar_list_events', given: 'primary', isError: true },
  { name: 'calendar_list_events', given: '{"calendar_id":', isError: true },
  { name: 'calendar_list_events', given: '{"a":1,"a":2}', isError: true },
  { name: 'calendar_list_calendars', given: [], isError: undefined },
  { name: 'calendar_list_calendars', given: 'null', isError: undefined },
  { name: 'calendar_list_events', given: JSON.stringify(LIST_EVENTS), isError: undefined },
  { name: 'calendar_list_events', given: [LIST_EVENTS], isError: true },
  { name: 'calendar_list_events', given: 5, isError: true },
];

test.each(ARGUMENTS)('a call of $name reads the arguments $given', async ({ name, given, isError }) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: given },
  });
  for (const version of ['2025-11-25', '2025-03-26']) {
    const { text } = await post(body, {
      'mcp-protocol-version': version,
      accept: 'application/json, text/event-stream',
    });
    const message = JSON.parse(text.startsWith('{') ? text : text.replace(/^[^{]*/, ''));
    expect(message).toMatchObject({ id: 7, result: { content: expect.any(Array) } });
    expect(message.result.isError).toBe(isError);
    if (isError) expect(message.result.content[0].text).toContain('"arguments" is not an object');
  }
});

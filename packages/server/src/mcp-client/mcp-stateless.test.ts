import { expect, test } from 'vitest';
import type { McpReply } from '../../test/support/upstreams/mcp-server.js';
import { httpResponse, startMcp, texts } from '../../test/support/upstreams/start-mcp.js';

const REVISION = '2026-07-28';
const complete = (...contents: string[]): McpReply => ({
  result: { resultType: 'complete', content: texts(...contents) },
});
const rpcError = (status: number, code: number) => (message: { id?: number | string }) => ({
  write: httpResponse(
    status,
    { 'content-type': 'application/json' },
    JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code, message: 'No' } }),
  )().write,
});

const start = () => startMcp({ isStateless: true });

test('a server of the newest revision is called without initialize and sessions', async () => {
  const { open, methods, messages, statuses } = await start();
  expect(await open().call('echo', { a: 1 })).toMatchObject({
    content: [{ text: expect.stringContaining('"arguments":{"a":1}') }],
  });
  await open('acct_2').call('echo', {});
  expect(methods()).toEqual(['server/discover', 'tools/list', 'tools/call', 'tools/call']);
  for (const { headers, method, params } of messages) {
    expect(headers).toMatchObject({ 'mcp-protocol-version': REVISION, 'mcp-method': method });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(params?.['_meta']).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'svc-server', version: '1.2.3' },
      'io.modelcontextprotocol/clientCapabilities': {},
    });
  }
  expect(messages.slice(2).map(({ headers }) => headers['mcp-name'])).toEqual(['echo', 'echo']);
  expect(messages.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer acct_1-1',
    'Bearer acct_1-1',
    'Bearer acct_1-1',
    'Bearer acct_2-1',
  ]);
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test('a stateless call sends the headers that the tool definition requires', async () => {
  const { open, listTools, messages } = await start();
  const region = { type: 'string', 'x-mcp-header': 'Region' };
  listTools({ name: 'echo', inputSchema: { type: 'object', properties: { region } } });
  await open().call('echo', { region: 'Österreich' });
  const encoded = Buffer.from('Österreich').toString('base64');
  expect(messages.at(-1)?.headers['mcp-param-region']).toBe(`=?base64?${encoded}?=`);
});

test('a tool with an invalid definition is not called, and the list is read again once', async () => {
  const { open, listTools, methods } = await start();
  const split = { type: 'string', 'x-mcp-header': 'a\r\nAuthorization' };
  listTools({ name: 'echo', inputSchema: { type: 'object', properties: { split } } });
  await expect(open().call('echo', { split: 'x' })).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { body: { code: -32602 } },
  });
  expect(methods()).toEqual(['server/discover', 'tools/list', 'tools/list']);
});

test('the tool list is read again once when the server expects other headers', async () => {
  const { open, script, methods } = await start();
  await open().call('echo', {});
  script(rpcError(400, -32020), () => complete('again'));
  expect(await open().call('echo', {})).toEqual({ content: texts('again') });
  script(rpcError(400, -32020), rpcError(400, -32020));
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { body: { code: -32020 } } });
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(3);
});

test.each([
  { title: 'rejects the revision', refusal: rpcError(400, -32022) },
  { title: 'responds 404', refusal: httpResponse(404, {}, '') },
  { title: 'requires initialize, as older servers do', refusal: rpcError(400, -32000) },
])('the revision is discovered again when a server $title', async ({ refusal }) => {
  const { open, script, methods } = await start();
  await open().call('echo', {});
  script(refusal, () => complete('again'));
  expect(await open().call('echo', {})).toEqual({ content: texts('again') });
  expect(methods().filter((method) => method === 'server/discover')).toHaveLength(2);
});

test('every elicitation of a tool is declined, and its state is returned unchanged', async () => {
  const { open, script, messages } = await start();
  const state = '{"b":1, "a":"\\u00e4"}';
  const form = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: {} } };
  const result = { resultType: 'input_required', inputRequests: { sure: form }, requestState: state };
  script(
    () => ({ result }),
    () => complete('not sure'),
  );
  expect(await open().call('echo', { a: 1 })).toEqual({ content: texts('not sure') });
  const [first, second] = messages.slice(-2);
  expect(second?.params).toMatchObject({
    arguments: { a: 1 },
    requestState: state,
    inputResponses: { sure: { action: 'cancel' } },
  });
  expect(second?.id).not.toBe(first?.id);
  expect(first?.params).not.toHaveProperty('requestState');
});

test.each([
  {
    title: 'an unsupported request',
    result: {
      resultType: 'input_required',
      inputRequests: { model: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } },
    },
    calls: 1,
  },
  {
    title: 'endless further rounds',
    result: { resultType: 'input_required', requestState: 'more' },
    calls: 10,
  },
])('a call ends when its tool asks for $title', async ({ result, calls }) => {
  const { open, script, methods } = await start();
  script(...Array(20).fill(() => ({ result })));
  await expect(open().call('echo', {})).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(methods().filter((method) => method === 'tools/call')).toHaveLength(calls);
});

test.each([403, 429, 503])('a %i is not mistaken for an older server', async (status) => {
  const { open, server, methods } = await start();
  server.refuseNext(status);
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { status } });
  expect(methods()).toEqual(['server/discover']);
});

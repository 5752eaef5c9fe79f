import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { httpResponse, startMcp } from '../../test/support/upstreams/start-mcp.js';
import { secret } from '../secret.js';

const PROBE = 'server/discover';

test('the first call opens a session that is reused', async () => {
  const { open, messages, methods, statuses } = await startMcp();
  const mcp = open();
  expect(await mcp.call('echo', { a: 1 })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('"name":"echo","arguments":{"a":1}') }],
  });
  await mcp.call('echo', {});
  expect(methods()).toEqual([PROBE, 'initialize', 'notifications/initialized', 'tools/call', 'tools/call']);
  expect(messages.map(({ url }) => url)).toEqual(Array(5).fill('/mcp?tools=echo'));
  expect(messages.map(({ headers }) => headers.authorization)).toEqual(Array(5).fill('Bearer acct_1-1'));
  const [first, ...later] = messages
    .filter(({ method }) => method !== PROBE)
    .map(({ headers }) => headers['mcp-session-id']);
  expect(first).toBeUndefined();
  expect(new Set(later).size).toBe(1);
  expect(messages.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18');
  expect(statuses).toEqual([200, 200, 200]);
});

test('simultaneous calls open one session', async () => {
  const { open, methods } = await startMcp();
  const mcp = open();
  const results = await Promise.all(Array.from({ length: 20 }, (_, number) => mcp.call('echo', { number })));
  results.forEach(({ content }, number) => {
    expect(content[0]?.text).toContain(`{"number":${number}}`);
  });
  expect(methods().filter((method) => method === 'initialize')).toHaveLength(1);
});

test('accounts share no session, nor do two owners of one account', async () => {
  const { open, messages, versions } = await startMcp();
  await open('acct_1').call('echo', {});
  await open('acct_2').call('echo', {});
  versions.set('acct_1', 2);
  await open('acct_1').call('echo', {});
  const calls = messages.filter(({ method }) => method === 'tools/call');
  expect(new Set(calls.map(({ headers }) => headers['mcp-session-id'])).size).toBe(3);
  expect(calls.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer acct_1-1',
    'Bearer acct_2-1',
    'Bearer acct_1-2',
  ]);
});

test('a new session is opened once when the server has forgotten it', async () => {
  const { open, methods, forgetSessions } = await startMcp();
  const mcp = open();
  await mcp.call('echo', {});
  forgetSessions();
  await mcp.call('echo', {});
  const session = ['initialize', 'notifications/initialized', 'tools/call'];
  expect(methods()).toEqual([PROBE, ...session, 'tools/call', ...session]);
});

test('a session is reopened at most once when the server forgets every session', async () => {
  const { open, script, methods } = await startMcp();
  const notFound = () => ({
    write: (response: ServerResponse) => void response.writeHead(404).end('gone'),
  });
  script(notFound, notFound);
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 404, body: 'gone' },
  });
  expect(methods().filter((method) => method === 'initialize')).toHaveLength(2);
});

test('a server without sessions is called without a session id', async () => {
  const { open, messages, methods } = await startMcp({ hasSessions: false });
  const mcp = open();
  await mcp.call('echo', {});
  await mcp.call('echo', {});
  expect(methods()).toEqual([PROBE, 'initialize', 'notifications/initialized', 'tools/call', 'tools/call']);
  expect(messages.every(({ headers }) => headers['mcp-session-id'] === undefined)).toBe(true);
});

test('an idle MCP session is ended at the server', async () => {
  const { open, methods } = await startMcp({ idleMs: 20 });
  await open().call('echo', {});
  await expect.poll(methods).toContain('DELETE');
});

test('a session with an old credential is ended after its last call', async () => {
  const { open, script, methods, messages, versions } = await startMcp();
  const waiting = Promise.withResolvers<() => void>();
  script(({ id }) => ({
    write: (response) =>
      waiting.resolve(() => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
      }),
  }));
  const long = open().call('echo', {});
  const result = await waiting.promise;
  versions.set('acct_1', 2);
  await open().call('echo', {});
  expect(methods()).not.toContain('DELETE');
  result();
  await long;
  await expect.poll(methods).toContain('DELETE');
  await open().call('echo', {});
  const [old, , ended, last] = messages
    .filter(({ method, httpMethod }) => method === 'tools/call' || httpMethod === 'DELETE')
    .map(({ headers }) => headers['mcp-session-id']);
  expect(ended).toBe(old);
  expect(last).not.toBe(old);
  expect(methods().filter((method) => method === 'DELETE')).toHaveLength(1);
});

test('a server with an unsupported revision is refused', async () => {
  const { open } = await startMcp({ protocolVersion: '2024-11-05' });
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('2024-11-05'),
  });
});

test('a session that could not be opened is retried at the next call', async () => {
  const { open, server } = await startMcp();
  server.refuseNext(503);
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { status: 503 } });
  await open().call('echo', {});
});

test('the tool list is shared by a connection and read again after an unknown tool', async () => {
  const { open, methods, script, setTools } = await startMcp();
  const names = async (id: string) => (await open(id).tools()).map(({ name }) => name);
  expect(await names('acct_1')).toEqual(['echo']);
  setTools('shout');
  expect(await names('acct_2')).toEqual(['echo']);
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(1);
  script(() => ({ error: { code: -32602, message: 'Unknown tool' } }));
  await expect(open().call('echo', {})).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await names('acct_1')).toEqual(['shout']);
});

test('wrong arguments read the tool list again only once a minute', async () => {
  const { open, methods, script, setTools } = await startMcp();
  const names = async () => (await open().tools()).map(({ name }) => name);
  expect(await names()).toEqual(['echo']);
  setTools('echo', 'shout');
  const text = 'Input validation error: Invalid arguments for tool echo';
  script(
    () => ({ error: { code: -32602, message: text } }),
    () => ({ result: { isError: true, content: [{ type: 'text', text: `MCP error -32602: ${text}` }] } }),
  );
  for (let calls = 0; calls < 2; calls += 1) {
    await expect(open().call('echo', {})).rejects.toMatchObject({ details: { reason: 'call_rejected' } });
    expect(await names()).toEqual(['echo', 'shout']);
  }
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(2);
});

test('a 401 renews the credential once and repeats the message', async () => {
  const { open, script, messages } = await startMcp({ renewed: { secret: secret('fresh'), version: 2 } });
  script(httpResponse(401, {}, ''));
  await open().call('echo', {});
  const calls = messages.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer acct_1-1', 'Bearer fresh']);
  expect(calls[0]?.id).toBe(calls[1]?.id);
});

test('a 401 without a renewable credential is returned', async () => {
  const { open, script } = await startMcp();
  script(httpResponse(401, {}, '{"error":"no"}'));
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 401, body: { error: 'no' } },
  });
});

test('the challenge of a 403 is checked for more scopes', async () => {
  const { open, script, demanded } = await startMcp();
  script(httpResponse(403, { 'www-authenticate': 'Bearer error="insufficient_scope"' }, '"no"'));
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { status: 403, body: 'no' } });
  expect(demanded).toEqual(['Bearer error="insufficient_scope"']);
});

test.each([
  { title: 'with sessions', isStateless: false },
  { title: 'without sessions', isStateless: true },
])('O15: the token is sent only in the Authorization header of every message ($title)', async (server) => {
  const { open, messages } = await startMcp(server);
  await open().call('echo', { a: 1 });
  expect(messages.length).toBeGreaterThan(2);
  for (const { headers, ...rest } of messages) {
    const { authorization, ...others } = headers;
    expect(authorization).toBe('Bearer acct_1-1');
    expect(JSON.stringify([others, rest])).not.toContain('acct_1-1');
  }
});

test('every page of the tool list is read', async () => {
  const { open, listPages, messages } = await startMcp();
  listPages(['echo', 'shout'], ['whisper'], []);
  const tools = await open().tools();
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'shout', 'whisper']);
  const lists = messages.filter(({ method }) => method === 'tools/list');
  expect(lists.map(({ params }) => params?.['cursor'])).toEqual([undefined, 'page-1', 'page-2']);
});

test('reading the tool list stops after 64 pages', async () => {
  const { open, listPages, methods } = await startMcp();
  listPages(...Array.from({ length: 100 }, () => []));
  await expect(open().tools()).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(64);
});

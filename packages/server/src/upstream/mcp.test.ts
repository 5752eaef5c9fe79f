import type { ServerResponse } from 'node:http';
import type { Connector } from '@svc/catalog';
import { expect, onTestFinished, test } from 'vitest';
import { type McpServerOptions, startMcpServer } from '../../test/support/mcp-server.js';
import type { Credential } from '../accounts/credentials.js';
import { secret } from '../accounts/secret.js';
import { createAgent } from '../http/agent.js';
import { createSend } from '../http/send.js';
import { createForward, type ResolvedAccount } from './forward.js';
import { createLimiter } from './limiter.js';
import { createMcp, type McpContext } from './mcp.js';

const connector: Connector = {
  id: 'notes',
  title: 'Notes',
  description: 'A connector that only this test knows.',
  api: 'Notes MCP server',
  baseUrl: 'https://mcp.notes.example',
  headers: {},
  hosts: {},
  mcp: { path: '/mcp?tools=echo' },
  auth: { type: 'mcp_oauth', scopes: [], inject: { header: 'Authorization', value: 'Bearer {credential}' } },
  errors: [{ status: 429, retry: 'any', advice: 'Wait.' }],
  retry: { attempts: 3, baseMs: 1, capMs: 1 },
  types: {},
  tools: [],
};

interface SetUp extends McpServerOptions {
  readonly renewed?: Credential;
  readonly idleMs?: number;
}

async function setUp({ renewed, idleMs, ...options }: SetUp = {}) {
  const server = await startMcpServer(options);
  const agent = createAgent({ allowedOrigins: [server.origin] });
  onTestFinished(() => agent.destroy());
  const versions = new Map<string, number>();
  const credentials = {
    current: async ({ id }: ResolvedAccount): Promise<Credential> => {
      const version = versions.get(id) ?? 1;
      return { secret: secret(`${id}-${version}`), version };
    },
    renew: async () => renewed,
  };
  const forward = createForward({
    connectors: new Map([[connector.id, connector]]),
    credentials,
    send: createSend(agent),
    limiter: createLimiter(),
  });
  const now = () => new Date('2026-11-20T12:00:00Z');
  const openMcp = createMcp({ forward, credentials, now, ...(idleMs !== undefined && { idleMs }) });
  const statuses: number[] = [];
  const open = (id = 'acct_1', context: Partial<McpContext> = {}) =>
    openMcp({
      account: {
        id,
        applicationId: 'app_1',
        identifier: id,
        connectionId: 'conn_1',
        connectionName: 'notes',
        connector: 'notes',
        baseUrl: server.origin,
        hosts: {},
      },
      connector,
      timeoutMs: 10_000,
      onStatus: (status) => statuses.push(status),
      ...context,
    });
  return { ...server, server, open, versions, statuses };
}

const text = (...texts: string[]) => texts.map((item) => ({ type: 'text', text: item }));

test('opens a session with the first call and keeps it', async () => {
  const { open, messages, methods, statuses } = await setUp();
  const mcp = open();
  expect(await mcp.call('echo', { a: 1 })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('"name":"echo","arguments":{"a":1}') }],
  });
  await mcp.call('echo', {});
  expect(methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'tools/call']);
  expect(messages.map(({ url }) => url)).toEqual(Array(4).fill('/mcp?tools=echo'));
  expect(messages.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer acct_1-1'));
  const [first, ...later] = messages.map(({ headers }) => headers['mcp-session-id']);
  expect(first).toBeUndefined();
  expect(new Set(later).size).toBe(1);
  expect(messages.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18');
  expect(statuses).toEqual([200, 200, 200]);
});

test('opens one session for calls that come at once', async () => {
  const { open, methods } = await setUp();
  const mcp = open();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => mcp.call('echo', { number })));
  answers.forEach(({ content }, number) => {
    expect(content[0]?.text).toContain(`{"number":${number}}`);
  });
  expect(methods().filter((method) => method === 'initialize')).toHaveLength(1);
});

test('shares no session between accounts, nor between two owners of one', async () => {
  const { open, messages, versions } = await setUp();
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

test('opens a new session once when the server has forgotten it', async () => {
  const { open, methods, forgetSessions } = await setUp();
  const mcp = open();
  await mcp.call('echo', {});
  forgetSessions();
  await mcp.call('echo', {});
  const session = ['initialize', 'notifications/initialized', 'tools/call'];
  expect(methods()).toEqual([...session, 'tools/call', ...session]);
});

test('does not open sessions for ever when the server forgets each of them', async () => {
  const { open, script, methods } = await setUp();
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

test('works without sessions where the server has none', async () => {
  const { open, messages, methods } = await setUp({ hasSessions: false });
  const mcp = open();
  await mcp.call('echo', {});
  await mcp.call('echo', {});
  expect(methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'tools/call']);
  expect(messages.every(({ headers }) => headers['mcp-session-id'] === undefined)).toBe(true);
});

test('tells the server about a session that nobody uses any more', async () => {
  const { open, methods } = await setUp({ idleMs: 20 });
  await open().call('echo', {});
  await expect.poll(methods).toContain('DELETE');
});

const TRICKY = 'Zeile\r\n\u2028 [[0]](https://notes.example/d/1) <b>&amp;</b> 🃏 "\\n"\ttab \u0000';

test.each(['json', 'sse'] as const)('gives texts byte for byte (%s)', async (answersBy) => {
  const { open, script } = await setUp({ answersBy });
  script(() => ({ result: { content: text(TRICKY, '') } }));
  expect(await open().call('echo', {})).toEqual({ content: text(TRICKY, '') });
});

test('waits through the progress of a stream for the result', async () => {
  const { open, script } = await setUp();
  script(({ id }) => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const result = JSON.stringify({ jsonrpc: '2.0', id, result: { content: text('done') } }, null, 1);
      const progress = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: id, progress: 0.5 },
      });
      const question = JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'ping' });
      const lines = result.split('\n').map((line) => `data: ${line}\n`);
      response.write(`: begin\n\ndata:\n\ndata: ${progress}\n\ndata: ${question}\n\n`);
      setTimeout(() => response.end(`id: 7\nevent: message\n${lines.join('')}\n`), 20);
    },
  }));
  expect(await open().call('echo', {})).toEqual({ content: text('done') });
});

test('keeps structured results, and kinds of content that it does not know', async () => {
  const result = { structuredContent: { items: [1] }, content: [{ type: 'hologram', rays: 3 }] };
  const { open, script } = await setUp();
  script(() => ({ result }));
  expect(await open().call('echo', {})).toEqual(result);
});

test('throws a result that says it is an error, with its text', async () => {
  const { open, script } = await setUp();
  const result = { isError: true, content: text('Transcripts are for paid plans.') };
  script(() => ({ result }));
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'Notes says: Transcripts are for paid plans.',
    details: { status: 200, body: result },
  });
});

test.each([
  {
    title: 'a JSON-RPC error',
    reply: { error: { code: -32602, message: 'Unknown tool: echo', data: { name: 'echo' } } },
    expected: {
      code: 'upstream_failed',
      message: 'Notes refused the call: Unknown tool: echo',
      details: { status: 200, body: { code: -32602, message: 'Unknown tool: echo', data: { name: 'echo' } } },
    },
  },
  {
    title: 'something that is no result of a tool',
    reply: { result: { content: 'text' } },
    expected: { code: 'upstream_failed', details: { status: 200, body: null } },
  },
])('says what is wrong: $title', async ({ reply, expected }) => {
  const { open, script } = await setUp();
  script(() => reply);
  await expect(open().call('echo', {})).rejects.toMatchObject(expected);
});

const answer = (status: number, headers: Readonly<Record<string, string>>, body: string) => () => ({
  write: (response: ServerResponse) => void response.writeHead(status, headers).end(body),
});

test.each([
  {
    title: 'a limit',
    script: answer(429, { 'retry-after': '7', 'content-type': 'application/json' }, '{"error":"slow"}'),
    expected: {
      code: 'upstream_failed',
      message: 'Notes answered 429. Wait.',
      details: { status: 429, body: { error: 'slow' }, retryAfter: 7, advice: 'Wait.' },
    },
  },
  {
    title: 'a redirect, which is not followed',
    script: answer(307, { location: '/elsewhere' }, ''),
    expected: { code: 'upstream_failed', details: { status: 307 } },
  },
  {
    title: 'a page',
    script: answer(200, { 'content-type': 'text/html' }, '<html>'),
    expected: { code: 'upstream_failed', message: expect.stringContaining('text/html') },
  },
  {
    title: 'a stream that ends without an answer',
    script: answer(200, { 'content-type': 'text/event-stream' }, 'id: 1\ndata: {"jsonrpc":"2.0","me'),
    expected: { code: 'connection_failed', details: { reason: 'closed' } },
  },
  {
    title: 'an answer over 10 MiB',
    script: answer(200, { 'content-type': 'application/json' }, `"${'x'.repeat(10 * 1024 * 1024)}"`),
    expected: { code: 'upstream_failed', message: expect.stringContaining('larger than 10 MiB') },
  },
  {
    title: 'a stream over 10 MiB',
    script: answer(200, { 'content-type': 'text/event-stream' }, `: ${'x'.repeat(10 * 1024 * 1024)}\n\n`),
    expected: { code: 'upstream_failed', message: expect.stringContaining('larger than 10 MiB') },
  },
])('tells apart: $title', async ({ script: scripted, expected }) => {
  const { open, script, methods } = await setUp();
  script(scripted);
  await expect(open().call('echo', {})).rejects.toMatchObject(expected);
  expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('stops when the connection breaks in the middle of a stream', async () => {
  const { open, script } = await setUp();
  script(() => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begin\n\n', () => response.destroy());
    },
  }));
  await expect(open().call('echo', {})).rejects.toMatchObject({ code: 'connection_failed' });
});

test('renews the credential once after 401, and repeats the message', async () => {
  const { open, script, messages } = await setUp({ renewed: { secret: secret('fresh'), version: 2 } });
  script(answer(401, {}, ''));
  await open().call('echo', {});
  const calls = messages.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer acct_1-1', 'Bearer fresh']);
  expect(calls[0]?.id).toBe(calls[1]?.id);
});

test('gives a 401 to the caller where there is nothing to renew', async () => {
  const { open, script } = await setUp();
  script(answer(401, {}, '{"error":"no"}'));
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 401, body: { error: 'no' } },
  });
});

const silence = () => ({ write: () => undefined });

test('ends a call at its deadline, and tells the server', async () => {
  const { open, script, messages } = await setUp();
  script(silence);
  const call = open().call('echo', {}, { timeoutMs: 50 });
  await expect(call).rejects.toMatchObject({ code: 'upstream_timeout' });
  await expect
    .poll(() => messages.at(-1))
    .toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: messages.find(({ method }) => method === 'tools/call')?.id },
    });
});

test('ends a call whose caller goes away, frees the socket, and keeps the session', async () => {
  const { open, script, methods } = await setUp();
  const leaving = new AbortController();
  const closed = Promise.withResolvers<void>();
  script(() => ({
    write: (response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begin\n\n', () => leaving.abort());
    },
  }));
  await expect(open('acct_1', { signal: leaving.signal }).call('echo', {})).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'aborted' },
  });
  await closed.promise;
  await expect.poll(methods).toContain('notifications/cancelled');
  await open().call('echo', {});
  expect(methods().filter((method) => method === 'initialize')).toHaveLength(1);
});

test('refuses a server of a revision that it does not speak', async () => {
  const { open } = await setUp({ protocolVersion: '2024-11-05' });
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining('2024-11-05'),
  });
});

test('tries again to open a session that could not be opened', async () => {
  const { open, server } = await setUp();
  server.refuseNext(503);
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { status: 503 } });
  await open().call('echo', {});
});

test('lists the tools once for a connection, and again after a call that did not find its tool', async () => {
  const { open, methods, script, setTools } = await setUp();
  const names = async (id: string) => (await open(id).tools()).map(({ name }) => name);
  expect(await names('acct_1')).toEqual(['echo']);
  setTools('shout');
  expect(await names('acct_2')).toEqual(['echo']);
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(1);
  script(() => ({ error: { code: -32602, message: 'Unknown tool' } }));
  await expect(open().call('echo', {})).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await names('acct_1')).toEqual(['shout']);
});

test('leaves nothing running when a call is over', async () => {
  const { open, script } = await setUp();
  const sockets: unknown[] = [];
  script(({ id }) => ({
    write: (response) => {
      response.on('close', () => sockets.push('closed'));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`);
    },
  }));
  await open().call('echo', {});
  await expect.poll(() => sockets, { timeout: 3000 }).toEqual(['closed']);
});

import { expect, test } from 'vitest';
import { httpResponse, startMcp, texts } from '../../test/support/upstreams/start-mcp.js';

const TRICKY = 'Zeile\r\n\u2028 [[0]](https://notes.example/d/1) <b>&amp;</b> 🃏 "\\n"\ttab \u0000';

test.each(['json', 'sse'] as const)('MCP texts arrive unchanged (%s)', async (format) => {
  const { open, script } = await startMcp({ format });
  script(() => ({ result: { content: texts(TRICKY, '') } }));
  expect(await open().call('echo', {})).toEqual({ content: texts(TRICKY, '') });
});

test('a call waits for its result through the progress events of a stream', async () => {
  const { open, script } = await startMcp();
  script(({ id }) => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      const result = JSON.stringify({ jsonrpc: '2.0', id, result: { content: texts('done') } }, null, 1);
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
  expect(await open().call('echo', {})).toEqual({ content: texts('done') });
});

test('structured results and unknown content types are preserved', async () => {
  const result = { structuredContent: { items: [1] }, content: [{ type: 'hologram', rays: 3 }] };
  const { open, script } = await startMcp();
  script(() => ({ result }));
  expect(await open().call('echo', {})).toEqual(result);
});

test('a result with isError is thrown with its text', async () => {
  const { open, script } = await startMcp();
  const result = { isError: true, content: texts('Transcripts are for paid plans.') };
  script(() => ({ result }));
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'Notes reported: Transcripts are for paid plans.',
    details: { status: 200, body: result },
  });
});

test.each([
  {
    title: 'a JSON-RPC error',
    reply: { error: { code: -32602, message: 'Unknown tool: echo', data: { name: 'echo' } } },
    expected: {
      code: 'upstream_failed',
      message:
        'Notes refused the call: "Unknown tool: echo". If this text names a mistake, correct it. Otherwise use another tool.',
      details: { status: 200, body: { code: -32602, message: 'Unknown tool: echo', data: { name: 'echo' } } },
    },
  },
  {
    title: 'an invalid tool result',
    reply: { result: { content: 'text' } },
    expected: {
      code: 'upstream_failed',
      message: expect.stringContaining('first check that it did not take effect'),
      details: {
        status: 200,
        body: { code: 'INVALID_RESULT', message: expect.stringContaining('tools/call') },
      },
    },
  },
  ...[-32603, -32000, -32001].map((code) => ({
    title: `the code ${code}, after which the call may have taken effect`,
    reply: { error: { code, message: 'Request timed out' } },
    expected: {
      code: 'upstream_failed',
      status: 502,
      message:
        'Notes reported a failure: "Request timed out". Retry later. If the call changes data, first check that it did not take effect.',
      details: { status: 200, body: { code, message: 'Request timed out' } },
    },
  })),
])('the error of a call explains: $title', async ({ reply, expected }) => {
  const { open, script } = await startMcp();
  script(() => reply);
  await expect(open().call('echo', {})).rejects.toMatchObject(expected);
});

test.each([
  {
    title: 'a rate limit',
    script: httpResponse(429, { 'retry-after': '7', 'content-type': 'application/json' }, '{"error":"slow"}'),
    expected: {
      code: 'upstream_failed',
      message: 'Notes responded with 429: "slow". Wait.',
      details: { status: 429, body: { error: 'slow' }, retryAfter: 7, advice: 'Wait.' },
    },
  },
  ...[
    { status: 307, location: 'http://other.example/mcp/' },
    { status: 308, location: 'http://127.0.0.1:1/mcp/' },
    { status: 307, location: 'not a URL at all://' },
    { status: 302, location: '/mcp/' },
    { status: 303, location: '/mcp/' },
    { status: 301, location: '/mcp/' },
  ].map(({ status, location }) => ({
    title: `${status} to ${location}, which is not followed`,
    script: httpResponse(status, { location }, ''),
    expected: { code: 'upstream_failed', details: { status } },
  })),
  {
    title: 'an HTML page',
    script: httpResponse(200, { 'content-type': 'text/html' }, '<html>'),
    expected: { code: 'upstream_failed', message: expect.stringContaining('text/html') },
  },
  {
    title: 'a stream that ends without a response',
    script: httpResponse(200, { 'content-type': 'text/event-stream' }, 'id: 1\ndata: {"jsonrpc":"2.0","me'),
    expected: { code: 'connection_failed', details: { reason: 'closed' } },
  },
  {
    title: 'a response above 10 MiB',
    script: httpResponse(200, { 'content-type': 'application/json' }, `"${'x'.repeat(10 * 1024 * 1024)}"`),
    expected: {
      code: 'upstream_failed',
      message: expect.stringContaining('larger than the maximum of 10 MiB'),
    },
  },
  {
    title: 'a stream above 10 MiB',
    script: httpResponse(
      200,
      { 'content-type': 'text/event-stream' },
      `: ${'x'.repeat(10 * 1024 * 1024)}\n\n`,
    ),
    expected: {
      code: 'upstream_failed',
      message: expect.stringContaining('larger than the maximum of 10 MiB'),
    },
  },
])('the error of a call distinguishes: $title', async ({ script: scripted, expected }) => {
  const { open, script, methods } = await startMcp();
  script(scripted);
  await expect(open().call('echo', {})).rejects.toMatchObject(expected);
  expect(methods().filter((method) => method === 'tools/call')).toHaveLength(1);
});

test('a call fails when the connection breaks in the middle of a stream', async () => {
  const { open, script } = await startMcp();
  script(() => ({
    write: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': begin\n\n', () => response.destroy());
    },
  }));
  await expect(open().call('echo', {})).rejects.toMatchObject({ code: 'connection_failed' });
});

const silence = () => ({ write: () => undefined });

test('a call ends at its deadline and is cancelled at the server', async () => {
  const { open, script, messages } = await startMcp();
  await open().call('echo', {});
  script(silence);
  const call = open().call('echo', {}, { timeoutMs: 50 });
  await expect(call).rejects.toMatchObject({ code: 'upstream_timeout' });
  await expect
    .poll(() => messages.at(-1))
    .toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: messages.findLast(({ method }) => method === 'tools/call')?.id },
    });
});

test('a call of a disconnected caller is cancelled and keeps the session', async () => {
  const { open, script, methods } = await startMcp();
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

test('a finished MCP call leaves no open request', async () => {
  const { open, script } = await startMcp();
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

test.each([
  { status: 307, location: '/mcp/?tools=echo' },
  { status: 308, location: '/mcp/?tools=echo' },
  { status: 307, location: 'mcp/?tools=echo' },
])('a redirect $status to $location of the same server is followed', async ({ status, location }) => {
  const { open, script, messages } = await startMcp();
  script(httpResponse(status, { location }, ''));
  expect(await open().call('echo', { a: 1 })).toMatchObject({
    content: [{ text: expect.stringContaining('"arguments":{"a":1}') }],
  });
  const calls = messages.filter(({ method }) => method === 'tools/call');
  expect(calls.map(({ url }) => url)).toEqual(['/mcp?tools=echo', '/mcp/?tools=echo']);
  expect(calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer acct_1-1', 'Bearer acct_1-1']);
});

test('three redirects are followed, and no fourth', async () => {
  const { open, script, methods } = await startMcp();
  script(...Array(5).fill(httpResponse(307, { location: '/mcp?tools=echo' }, '')));
  await expect(open().call('echo', {})).rejects.toMatchObject({ details: { status: 307 } });
  expect(methods().filter((method) => method === 'tools/call')).toHaveLength(4);
});

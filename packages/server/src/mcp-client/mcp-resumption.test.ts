import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { McpMessage } from '../../test/support/upstreams/mcp-server.js';
import { startMcp, texts } from '../../test/support/upstreams/start-mcp.js';

const begin = (response: ServerResponse, id: string) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`id: ${id}\nretry: 100\ndata: \n\n`);
};
const resultFor = (id: McpMessage['id']) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: texts('done') } })}\n\n`;
const endsEarly = () => ({
  write: (response: ServerResponse) => {
    begin(response, '1');
    response.end();
  },
});

/**
 * Starts an MCP server whose response stream ends before the response. `rest` handles the GET request that resumes the
 * stream.
 */
async function setUp(
  rest: (response: ServerResponse, call: McpMessage | undefined) => void,
  stream = endsEarly,
) {
  const started = await startMcp();
  const { script, messages, server } = started;
  script(stream);
  server.onGet((response) =>
    rest(
      response,
      messages.find(({ method }) => method === 'tools/call'),
    ),
  );
  const gets = () => messages.filter(({ httpMethod }) => httpMethod === 'GET');
  return { ...started, gets };
}

test('a stream that ends early is resumed from its last event', async () => {
  const { open, gets, messages } = await setUp((response, call) => {
    begin(response, '2');
    response.end(resultFor(call?.id));
  });
  expect(await open().call('echo', {})).toEqual({ content: texts('done') });
  expect(gets().map(({ headers }) => headers)).toMatchObject([
    { 'last-event-id': '1', authorization: 'Bearer acct_1-1', 'mcp-session-id': expect.any(String) },
  ]);
  expect(messages.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
});

test('a stream that breaks is resumed', async () => {
  const breaks = () => ({
    write: (response: ServerResponse) => {
      begin(response, '1');
      response.write(': cut', () => response.destroy());
    },
  });
  const { open, gets } = await setUp((response, call) => {
    begin(response, '2');
    response.end(resultFor(call?.id));
  }, breaks);
  expect(await open().call('echo', {})).toEqual({ content: texts('done') });
  expect(gets()).toHaveLength(1);
});

test.each([
  { title: 'refuses to resume', rest: (response: ServerResponse) => void response.writeHead(405).end() },
  {
    title: 'resumes without a response or an event',
    rest: (response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
  },
])('a server that $title is reported as closed', async ({ rest }) => {
  const { open, gets } = await setUp(rest);
  await expect(open().call('echo', {})).rejects.toMatchObject({
    code: 'connection_failed',
    details: { reason: 'closed' },
  });
  expect(gets()).toHaveLength(1);
});

test('resumption is retried until the deadline of the call', async () => {
  const { open, gets } = await setUp((response) => {
    begin(response, '2');
    response.end();
  });
  await expect(open().call('echo', {}, { timeoutMs: 350 })).rejects.toMatchObject({
    code: 'upstream_timeout',
  });
  const sent = gets().length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(5);
});

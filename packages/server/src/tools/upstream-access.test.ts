import type { Connector, Tool } from '@svc/catalog';
import { expect, test } from 'vitest';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import { createReadLink } from '../upstream/read-link.js';
import { createRetryBudget } from '../upstream/retry.js';
import { newTrace } from '../upstream/trace.js';
import type { Mcp, McpResult } from './handler.js';
import { createRetryWithBackoff } from './retry-with-backoff.js';
import { createUpstreamAccess } from './upstream-access.js';

const connector: Connector = {
  id: 'notes',
  title: 'Notes',
  service: 'Notes',
  description: 'A connector that only this test knows.',
  api: 'Notes MCP server',
  baseUrl: 'https://mcp.notes.example',
  headers: {},
  hosts: {},
  mcp: { path: '/mcp' },
  auth: { type: 'mcp_oauth', scopes: [], inject: { header: 'Authorization', value: 'Bearer {credential}' } },
  errors: [
    { status: 429, retry: 'any' },
    { status: 503, retry: 'reads' },
  ],
  retry: { attempts: 3, baseMs: 1, capMs: 1000 },
  types: {},
  tools: [],
};
const account: ResolvedAccount = {
  id: 'acct_1',
  applicationId: 'app_1',
  identifier: 'ada',
  connectionId: 'conn_1',
  connectionName: 'notes',
  connector: 'notes',
  baseUrl: connector.baseUrl,
  hosts: {},
};
const tool: Tool = {
  name: 'notes_search',
  connector: 'notes',
  title: 'Search notes',
  description: 'Searches notes.',
  hints: { readOnly: true, destructive: false, idempotent: true, longRunning: false },
  scopes: [],
  versionInputs: false,
  phrases: [],
  additional: false,
  versions: [],
  examples: [],
};
const result: McpResult = { content: [{ type: 'text', text: 'done' }] };
const failed = (status: number) => new ServiceError('upstream_failed', 'no', { status, body: null });

function setUp(
  failures: readonly Error[],
  { isReadOnly = true, on = connector }: { isReadOnly?: boolean; on?: Connector } = {},
) {
  const left = [...failures];
  const opened: unknown[] = [];
  let count = 0;
  const reply = async <Value>(value: Value): Promise<Value> => {
    count += 1;
    const failure = left.shift();
    if (failure) throw failure;
    return value;
  };
  const mcp: Mcp = { tools: () => reply([]), call: () => reply(result) };
  const retry = createRetryWithBackoff({
    budget: createRetryBudget(() => new Date(0)),
    random: () => 0,
    sleep: async () => undefined,
  });
  const openMcp = (context: unknown) => {
    opened.push(context);
    return mcp;
  };
  const sendRequest = () => expect.unreachable('The tool sends no request.');
  const accessUpstream = createUpstreamAccess({
    sendRequest,
    openMcp,
    retry,
    downloadSigned: () => expect.unreachable('The tool downloads nothing.'),
    links: createReadLink({
      send: () => expect.unreachable('The tool opens no link.'),
      isAllowedOrigin: () => false,
      mostBytes: 0,
    }),
    deriveIdempotencyKey: () => expect.unreachable('No request needs a key.'),
  });
  const { mcp: toolMcp } = accessUpstream({
    tool: { ...tool, hints: { ...tool.hints, readOnly: isReadOnly } },
    account,
    connector: on,
    signal: undefined,
    onStatus: () => undefined,
    trace: newTrace(),
    holding: { take: () => undefined },
  });
  return { mcp: toolMcp(), calls: () => count, opened };
}

const once: Connector = { ...connector, retry: { ...connector.retry, attempts: 1 } };

test.each([
  { title: 'a rate limit of a read', failure: failed(429), options: {}, calls: 2 },
  { title: 'a rate limit of a write', failure: failed(429), options: { isReadOnly: false }, calls: 2 },
  { title: 'an outage of a read', failure: failed(503), options: {}, calls: 2 },
])('an MCP call is retried after $title', async ({ failure, options, calls }) => {
  const { mcp, calls: made } = setUp([failure], options);
  expect(await mcp.call('echo', {})).toEqual(result);
  expect(made()).toBe(calls);
});

test.each([
  { title: 'an outage of a write', failure: failed(503), options: { isReadOnly: false } },
  { title: 'an error of the tool itself', failure: failed(200), options: {} },
  { title: 'a rate limit of a tool that costs money', failure: failed(429), options: { on: once } },
  {
    title: 'a timeout',
    failure: new ServiceError('upstream_timeout', 'late'),
    options: {},
  },
])('an MCP call is not retried after $title', async ({ failure, options }) => {
  const { mcp, calls } = setUp([failure], options);
  await expect(mcp.call('echo', {})).rejects.toBe(failure);
  expect(calls()).toBe(1);
});

test('the tool list is retried like a read, whatever the tool does', async () => {
  const { mcp, calls } = setUp([failed(503)], { isReadOnly: false });
  expect(await mcp.tools()).toEqual([]);
  expect(calls()).toBe(2);
});

test('no MCP session is opened for a connector without an MCP server', async () => {
  const { mcp: _, ...plain } = connector;
  const { mcp, opened } = setUp([], { on: plain });
  await expect(mcp.call('echo', {})).rejects.toMatchObject({ code: 'internal_error' });
  await expect(mcp.tools()).rejects.toMatchObject({ code: 'internal_error' });
  expect(opened).toEqual([]);
});

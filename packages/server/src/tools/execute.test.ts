import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { loadCatalog } from '@svc/catalog';
import { afterAll, expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createExecutions, type Execution } from '../upstream/execution.js';
import type { ForwardRequest, HttpResponse } from '../upstream/forward.js';
import { createRetryBudget } from '../upstream/retry.js';
import type { HandlerTable } from './check-tools.js';
import { createExecute, type ExecuteRequest } from './execute.js';

const folder = mkdtempSync(path.join(tmpdir(), 'catalog-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeConnector(id: string, connector: object, tools: readonly { readonly name: string }[]): string {
  const root = path.join(folder, id);
  mkdirSync(path.join(root, id, 'tools'), { recursive: true });
  writeFileSync(path.join(root, id, 'connector.json'), JSON.stringify({ id, ...connector }));
  for (const tool of tools)
    writeFileSync(path.join(root, id, 'tools', `${tool.name}.json`), JSON.stringify(tool));
  return root;
}

const connector = {
  title: 'Sample',
  description: 'A connector that only this test knows.',
  api: 'Sample API',
  baseUrl: 'https://api.upstream.example',
  auth: { type: 'api_key', inject: { header: 'X-Key', value: '{credential}' } },
  errors: [
    { status: 400, body: { code: 'wrong_path' }, advice: 'Use the other tool.' },
    { status: 429, retry: 'any' },
    { status: 503, retry: 'reads' },
  ],
  retry: { attempts: 3, baseMs: 100, capMs: 5_000 },
};

const input = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string' }, max: { type: 'integer', maximum: 50, default: 5 } },
};

function tool(name: string, readOnly: boolean, implementation: object) {
  const id = { id: 'a' };
  return {
    name,
    title: 'Sample tool',
    description: 'A tool that only this test knows, long enough to be taken.',
    hints: { readOnly, destructive: false, idempotent: readOnly },
    versions: [
      {
        schema_version: '1.0.0',
        tool_version: '1.0.1',
        status: 'current',
        input,
        output: true,
        ...implementation,
      },
    ],
    examples: [{ title: 'One', input: id }],
  };
}

const get = { request: { method: 'GET', path: '/v1/{id}', query: { max: '{max}', tag: ['a', 'b c'] } } };
const post = { request: { method: 'POST', path: '/v1/items', body: { id: '{id}' } } };
const load = (id: string, tools: readonly { readonly name: string }[]) =>
  loadCatalog({ folders: [writeConnector(id, connector, tools)], builtIn: false });
const catalog = load('sample', [
  tool('sample_get', true, get),
  tool('sample_create', false, post),
  tool('sample_search', true, post),
  tool('sample_custom', false, { handler: true }),
]);

type Reply =
  | { readonly status?: number; readonly headers?: HttpResponse['headers']; readonly body?: string | Buffer }
  | ServiceError;

const handlers: HandlerTable = {
  sample_custom: async ({ id }: { id: string }, send, { now, randomId }) => [
    await send({ method: 'GET', path: `/v1/${id}` }),
    now().toISOString(),
    randomId(),
  ],
};

function setUp(replies: readonly Reply[]) {
  const sent: ForwardRequest[] = [];
  const executions: Execution[] = [];
  const waits: number[] = [];
  const now = () => new Date('2026-11-20T12:00:00Z');
  const randomId = () => 'id-1';
  const execute = createExecute({
    catalog,
    handlers,
    now,
    randomId,
    resolve: {
      byId: async (applicationId, id) => {
        if (id === 'acct_unknown') throw new ServiceError('account_not_found', 'There is no such account.');
        return {
          id,
          applicationId,
          identifier: 'user_42',
          connectionId: 'conn_1',
          connectionName: 'main',
          connector: id === 'acct_other' ? 'other' : 'sample',
          baseUrl: 'https://api.upstream.example',
        };
      },
    },
    forward: async (_, request) => {
      sent.push(request);
      const reply = replies[Math.min(sent.length, replies.length) - 1];
      if (reply === undefined || reply instanceof ServiceError) throw reply ?? new Error('nothing to answer');
      const { status = 200, headers = {}, body = '{}' } = reply;
      return { status, headers, body: Readable.from([Buffer.from(body)].filter(({ length }) => length > 0)) };
    },
    beginExecution: createExecutions({ record: (execution) => executions.push(execution), now, randomId }),
    budget: createRetryBudget(now),
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms);
    },
  });
  const call = (toolName: string, request: Partial<ExecuteRequest> = {}) =>
    execute({
      applicationId: 'app_1',
      toolName,
      connectedAccountId: 'acct_1',
      toolInput: { id: 'a b' },
      requestId: 'req-1',
      ...request,
    });
  return { call, sent, executions, waits };
}

test('sends what the binding makes of the input and gives back the data', async () => {
  const { call, sent, executions } = setUp([{ body: '{"items":[1]}' }]);
  expect(await call('sample_get')).toEqual({
    data: { items: [1] },
    schemaVersion: '1.0.0',
    toolVersion: '1.0.1',
    executionId: 'exec_id-1',
  });
  expect(sent).toMatchObject([
    {
      method: 'GET',
      path: '/v1/a%20b',
      query: 'max=5&tag=a&tag=b%20c',
      headers: ['accept', 'application/json', 'accept-encoding', 'gzip, deflate, br'],
      body: undefined,
    },
  ]);
  expect(executions).toMatchObject([
    {
      id: 'exec_id-1',
      kind: 'tool',
      toolName: 'sample_get',
      accountId: 'acct_1',
      status: 200,
      upstreamStatus: 200,
      errorCode: null,
    },
  ]);
});

test('sends a body as JSON', async () => {
  const { call, sent } = setUp([{}]);
  await call('sample_create');
  expect(String(sent[0]?.body)).toBe('{"id":"a b"}');
  expect(sent[0]?.headers).toContain('content-type');
});

test('gives a handler its input, send, clock and ids', async () => {
  const { call } = setUp([{ body: '"text"' }, {}]);
  await expect(call('sample_custom', { toolInput: { id: 'x' } })).rejects.toMatchObject({
    code: 'upstream_failed',
  });
  const { call: again } = setUp([{ body: '1' }]);
  expect((await again('sample_custom', { toolInput: { id: 'x' } })).data).toEqual([
    1,
    '2026-11-20T12:00:00.000Z',
    'id-1',
  ]);
});

test.each([
  { title: 'an unknown tool', name: 'sample_nothing', request: {}, code: 'tool_not_found' },
  {
    title: 'an unknown account',
    name: 'sample_get',
    request: { connectedAccountId: 'acct_unknown' },
    code: 'account_not_found',
  },
  {
    title: "another connector's account",
    name: 'sample_get',
    request: { connectedAccountId: 'acct_other' },
    code: 'invalid_input',
  },
  {
    title: 'an unknown version',
    name: 'sample_get',
    request: { toolVersion: '9.0.0' },
    code: 'unknown_version',
  },
  {
    title: 'an input that is no object',
    name: 'sample_get',
    request: { toolInput: [] },
    code: 'invalid_input',
  },
  {
    title: 'a path that would climb',
    name: 'sample_get',
    request: { toolInput: { id: '..' } },
    code: 'invalid_input',
  },
])('refuses $title and sends nothing', async ({ name, request, code }) => {
  const { call, sent } = setUp([{}]);
  await expect(call(name, request)).rejects.toMatchObject({ code });
  expect(sent).toEqual([]);
});

test('names every broken rule of an input at once', async () => {
  const { call, executions } = setUp([{}]);
  const refused = call('sample_get', { toolInput: { max: 51, typo: 1 } });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  const { details } = await refused.catch((error) => error);
  expect(
    details.errors.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`).toSorted(),
  ).toEqual(['id required', 'max maximum', 'typo additionalProperties']);
  expect(executions).toMatchObject([{ status: 400, errorCode: 'invalid_input', upstreamStatus: null }]);
});

test.each([
  { title: 'an empty answer is null', reply: { status: 200, body: '' }, data: null },
  { title: 'no content is null', reply: { status: 204, body: '' }, data: null },
  {
    title: 'gzip is decoded',
    reply: { headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"a":1}') },
    data: { a: 1 },
  },
  {
    title: 'brotli is decoded',
    reply: { headers: { 'content-encoding': 'BR' }, body: brotliCompressSync('[1]') },
    data: [1],
  },
  { title: 'an upstream null is null', reply: { body: 'null' }, data: null },
])('$title', async ({ reply, data }) => {
  expect((await setUp([reply]).call('sample_get')).data).toEqual(data);
});

test.each([
  { title: 'is not JSON', reply: { body: '<html>' } },
  { title: 'is not what its encoding says', reply: { headers: { 'content-encoding': 'gzip' }, body: '{}' } },
  { title: 'is larger than 10 MiB', reply: { body: Buffer.alloc(10 * 1024 * 1024 + 1, ' ') } },
  {
    title: 'grows beyond 10 MiB',
    reply: { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(11 * 1024 * 1024)) },
  },
])('fails when the answer $title', async ({ reply }) => {
  await expect(setUp([reply]).call('sample_get')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 200 },
  });
});

test('hands over the error of the upstream with its status, advice and ids', async () => {
  const { call, executions } = setUp([
    {
      status: 400,
      headers: { 'x-sample-request-id': 'r1', 'cf-ray': 'r2' },
      body: '{"code":"wrong_path","message":"Invalid"}',
    },
  ]);
  await expect(call('sample_get')).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'Sample answered 400. Use the other tool.',
    details: {
      status: 400,
      body: { code: 'wrong_path', message: 'Invalid' },
      requestId: 'r1',
      advice: 'Use the other tool.',
    },
  });
  expect(executions).toMatchObject([{ status: 502, errorCode: 'upstream_failed', upstreamStatus: 400 }]);
});

test('hands over an error that is not JSON as text, and a redirect as an error', async () => {
  await expect(
    setUp([{ status: 502, headers: { 'cf-ray': 'edge' }, body: '<html>' }]).call('sample_create'),
  ).rejects.toMatchObject({ details: { status: 502, body: '<html>', requestId: 'edge' } });
  await expect(setUp([{ status: 302, body: '' }]).call('sample_get')).rejects.toMatchObject({
    details: { status: 302, body: null },
  });
});

const unreachable = new ServiceError('connection_failed', 'cannot be reached', { reason: 'refused' });
const blocked = new ServiceError('connection_failed', 'is not public', { reason: 'blocked_address' });
const late = new ServiceError('upstream_timeout', 'took too long', {});
const limited = { status: 429, headers: { 'retry-after': '2' } };

test.each([
  {
    title: 'a write when any call may be repeated',
    name: 'sample_create',
    first: { status: 429 },
    waits: [100],
  },
  { title: 'as late as the upstream asks', name: 'sample_create', first: limited, waits: [2_000] },
  { title: 'a read by GET', name: 'sample_get', first: { status: 503 }, waits: [100] },
  { title: 'a read by POST', name: 'sample_search', first: { status: 503 }, waits: [100] },
  { title: 'a read that could not connect', name: 'sample_get', first: unreachable, waits: [100] },
])('repeats $title', async ({ name, first, waits: expected }) => {
  const { call, sent, waits } = setUp([first, { body: '{"ok":true}' }]);
  expect((await call(name)).data).toEqual({ ok: true });
  expect([sent.length, waits]).toEqual([2, expected]);
});

test.each([
  { title: 'a write when only reads may be repeated', name: 'sample_create', reply: { status: 503 } },
  { title: 'an error that no rule knows', name: 'sample_get', reply: { status: 500 } },
  {
    title: 'what a rule calls final',
    name: 'sample_get',
    reply: { status: 400, body: '{"code":"wrong_path"}' },
  },
  { title: 'a write that could not connect', name: 'sample_create', reply: unreachable },
  { title: 'a call to a blocked address', name: 'sample_get', reply: blocked },
  { title: 'a call that timed out', name: 'sample_get', reply: late },
  {
    title: 'a call that should wait beyond the cap',
    name: 'sample_get',
    reply: { status: 429, headers: { 'retry-after': '6' } },
  },
])('does not repeat $title', async ({ name, reply }) => {
  const { call, sent, waits } = setUp([reply]);
  await expect(call(name)).rejects.toThrow(ServiceError);
  expect([sent.length, waits]).toEqual([1, []]);
});

test('says when to come back if it does not wait itself', async () => {
  const { call } = setUp([{ status: 429, headers: { 'retry-after': '60' } }]);
  await expect(call('sample_get')).rejects.toMatchObject({ details: { retryAfter: 60 } });
});

test('gives up after three attempts', async () => {
  const { call, sent, waits } = setUp([{ status: 429 }]);
  await expect(call('sample_get')).rejects.toMatchObject({ details: { status: 429 } });
  expect([sent.length, waits]).toEqual([3, [100, 200]]);
});

test('passes on to a read, and not to a write, that the caller went away', async () => {
  const { call, sent } = setUp([{}]);
  const { signal } = new AbortController();
  await call('sample_get', { signal });
  await call('sample_create', { signal });
  expect(sent.map((request) => request.signal)).toEqual([signal, undefined]);
});

const partsOf = (id: string, implementation: object) => ({
  catalog: load(id, [tool(`${id}_run`, true, implementation)]),
  handlers: {},
});

test.each([
  {
    title: 'a handler that does not exist',
    id: 'lonely',
    implementation: { handler: true },
    message: /"lonely_run".*no handler/,
  },
  {
    title: 'an MCP tool',
    id: 'remote',
    implementation: { mcp: { tool: 'x' } },
    message: /"remote_run".*MCP/,
  },
])('does not start with $title', ({ id, implementation, message }) => {
  const parts = partsOf(id, implementation);
  const unused = () => {
    throw new Error('unused');
  };
  expect(() =>
    createExecute({
      ...parts,
      now: unused,
      randomId: unused,
      random: unused,
      sleep: unused,
      forward: unused,
      resolve: { byId: unused },
      beginExecution: unused,
      budget: { countCall: unused, take: unused },
    }),
  ).toThrow(message);
});

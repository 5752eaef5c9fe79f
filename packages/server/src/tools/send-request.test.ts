import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { paidCatalog, setUp } from '../../test/support/tools/sample-tools.js';
import { ServiceError } from '../errors.js';

test.each([
  { title: 'an empty body is null', reply: { status: 200, body: '' }, data: null },
  { title: 'a 204 is null', reply: { status: 204, body: '' }, data: null },
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
  {
    title: 'does not match its content encoding',
    reply: { headers: { 'content-encoding': 'gzip' }, body: '{}' },
  },
  { title: 'is larger than 10 MiB', reply: { body: Buffer.alloc(10 * 1024 * 1024 + 1, ' ') } },
  {
    title: 'grows beyond 10 MiB',
    reply: { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(11 * 1024 * 1024)) },
  },
])('a tool request fails when the response $title', async ({ reply }) => {
  await expect(setUp([reply]).call('sample_get')).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 200 },
  });
});

const MIB = 1024 * 1024;
const gzipped = (text: string) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) });
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
// Real responses can be very regular. gzip compresses this JSON to about 1/80, and the service must accept it.
const REGULAR = JSON.stringify(
  Array.from({ length: 40_000 }, (_, id) => ({ id, state: 'open', '#': 'x'.repeat(60) })),
);

test.each([
  { title: '0.1 % of its size', text: ' '.repeat(5 * MIB), isTaken: false },
  { title: '1.25 % of its size', text: REGULAR, isTaken: true },
  { title: '0.1 % of 1 MiB', text: `[${' '.repeat(MIB - 2)}]`, isTaken: true },
])('F5: a response that is compressed to $title is accepted: $isTaken', async ({ text, isTaken }) => {
  const call = setUp([gzipped(text)]).call('sample_get');
  if (isTaken) expect((await call).data).toEqual(JSON.parse(text));
  else await expect(call).rejects.toThrow('more than 100 times as large as its compressed form');
});

test.each([
  { title: 'accepts 200 levels', body: nested(200), isTaken: true },
  { title: 'refuses 201 levels', body: nested(201), isTaken: false },
  { title: 'refuses 5 million levels', body: '['.repeat(5 * MIB), isTaken: false },
  { title: 'accepts brackets in a string', body: JSON.stringify([`"${'['.repeat(300)}\\`]), isTaken: true },
])('F5: a tool request $title of JSON', async ({ body, isTaken }) => {
  const call = setUp([{ body }]).call('sample_get');
  if (isTaken) expect((await call).data).toEqual(JSON.parse(body));
  else await expect(call).rejects.toThrow('deeper than the maximum of 200 levels');
});

test('an upstream error is returned with its status, advice and ids', async () => {
  const { call, executions } = setUp([
    {
      status: 400,
      headers: { 'x-sample-request-id': 'r1', 'cf-ray': 'r2' },
      body: '{"code":"wrong_path","message":"Invalid"}',
    },
  ]);
  await expect(call('sample_get')).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'Sample responded with 400: "Invalid". Use the other tool.',
    details: {
      status: 400,
      body: { code: 'wrong_path', message: 'Invalid' },
      requestId: 'r1',
      advice: 'Use the other tool.',
    },
  });
  expect(executions).toMatchObject([{ status: 424, errorCode: 'upstream_failed', upstreamStatus: 400 }]);
});

test('a response is an error when a rule of the connector matches', async () => {
  const failed = setUp([{ status: 200, body: '{"errors":[{"code":"invalid"}]}' }]).call('sample_get');
  await expect(failed).rejects.toMatchObject({
    code: 'upstream_failed',
    details: { status: 200, body: { errors: [{ code: 'invalid' }] }, advice: 'Look at the errors.' },
  });
  expect((await setUp([{ status: 200, body: '{"errors":[]}' }]).call('sample_get')).data).toEqual({
    errors: [],
  });
});

test('an upstream error that is not JSON is returned as text, and a redirect as an error', async () => {
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
    title: 'a write after an error that allows it for every call',
    name: 'sample_create',
    first: { status: 429 },
    waits: [100],
  },
  {
    title: 'a call after the Retry-After of the upstream',
    name: 'sample_create',
    first: limited,
    waits: [2_000],
  },
  { title: 'a read by GET', name: 'sample_get', first: { status: 503 }, waits: [100] },
  { title: 'a read by POST', name: 'sample_search', first: { status: 503 }, waits: [100] },
  { title: 'a read that could not connect', name: 'sample_get', first: unreachable, waits: [100] },
])('a tool request retries $title', async ({ name, first, waits: expected }) => {
  const { call, sent, waits } = setUp([first, { body: '{"ok":true}' }]);
  expect((await call(name)).data).toEqual({ ok: true });
  expect([sent.length, waits]).toEqual([2, expected]);
});

test.each([
  { title: 'a write after an error that allows only reads', name: 'sample_create', reply: { status: 503 } },
  { title: 'an unknown error', name: 'sample_get', reply: { status: 500 } },
  {
    title: 'an error that a rule declares final',
    name: 'sample_get',
    reply: { status: 400, body: '{"code":"wrong_path"}' },
  },
  { title: 'a write that could not connect', name: 'sample_create', reply: unreachable },
  { title: 'a call to a blocked address', name: 'sample_get', reply: blocked },
  { title: 'a call that timed out', name: 'sample_get', reply: late },
  {
    title: 'a call with a Retry-After above the cap',
    name: 'sample_get',
    reply: { status: 429, headers: { 'retry-after': '6' } },
  },
])('a tool request does not retry $title', async ({ name, reply }) => {
  const { call, sent, waits } = setUp([reply]);
  await expect(call(name)).rejects.toThrow(ServiceError);
  expect([sent.length, waits]).toEqual([1, []]);
});

test('a write that was limited before it was refused has no unknown outcome', async () => {
  const { call, sent } = setUp([{ status: 429 }, { status: 400, body: '{}' }]);
  const failed = await call('sample_create').catch((error: unknown) => error);
  expect(failed).toMatchObject({ details: { status: 400, attempts: 2, reason: 'call_rejected' } });
  expect(failed).not.toHaveProperty('details.repeatable');
  expect(sent).toHaveLength(2);
});

test('a tool request that does not wait returns Retry-After', async () => {
  const { call } = setUp([{ status: 429, headers: { 'retry-after': '60' } }]);
  await expect(call('sample_get')).rejects.toMatchObject({ details: { retryAfter: 60 } });
});

test('a tool request is tried three times', async () => {
  const { call, sent, waits } = setUp([{ status: 429 }]);
  await expect(call('sample_get')).rejects.toMatchObject({ details: { status: 429 } });
  expect([sent.length, waits]).toEqual([3, [100, 200]]);
});

const dropped = new ServiceError('connection_failed', 'closed the connection', { reason: 'closed' });

test.each([
  { title: 'any call may be retried', name: 'sample_get', reply: { status: 429 } },
  { title: 'reads may be retried', name: 'sample_get', reply: { status: 503 } },
  { title: 'the connection was closed', name: 'sample_get', reply: dropped },
  { title: 'the upstream was unreachable', name: 'sample_get', reply: unreachable },
  { title: 'a POST read was aborted', name: 'sample_search', reply: dropped },
])('a tool with one attempt is not retried although $title', async ({ name, reply }) => {
  const { call, sent, waits } = setUp([reply], { catalog: paidCatalog });
  await expect(call(name)).rejects.toThrow(ServiceError);
  expect([sent.length, waits]).toEqual([1, []]);
});

test.each(['connection_failed', 'upstream_timeout'] as const)(
  'a tool with one attempt reports a response aborted by %s as not repeatable',
  async (code) => {
    const brokenBy = new ServiceError(code, 'The response was lost.', { reason: 'closed' });
    const { call } = setUp([{ body: '{"a":', brokenBy }], { catalog: paidCatalog });
    await expect(call('sample_get')).rejects.toMatchObject({
      code,
      details: { reason: 'closed', repeatable: false },
    });
  },
);

test('a binding can name a host, and a long-running tool has its own timeout', async () => {
  const { call, sent } = setUp([{}]);
  await call('sample_job');
  await call('sample_get');
  expect(sent).toMatchObject([
    { host: 'jobs', totalMs: 330_000, idleMs: 330_000 },
    { host: undefined, totalMs: undefined, idleMs: undefined },
  ]);
});

test('the disconnection of the caller aborts a read, but not a write', async () => {
  const { call, sent } = setUp([{}]);
  const { signal } = new AbortController();
  await call('sample_get', { signal });
  await call('sample_create', { signal });
  expect(sent.map((request) => request.signal)).toEqual([signal, undefined]);
});

import { expect, test } from 'vitest';
import { load, setUp, tool } from '../../test/support/tools/sample-tools.js';
import { createRunTool } from './run-tool.js';

test('executeTool sends the request of the binding and returns the data', async () => {
  const { call, sent, executions } = setUp([{ body: '{"items":[1]}' }]);
  expect(await call('sample_get')).toEqual({
    data: { items: [1] },
    schemaVersion: '1.0.0',
    toolVersion: '1.0.1',
    executionId: expect.stringMatching(/^exec_[0-9a-f]{12}id-1$/),
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
      id: expect.stringMatching(/^exec_[0-9a-f]{12}id-1$/),
      kind: 'tool',
      toolName: 'sample_get',
      accountId: 'acct_1',
      status: 200,
      upstreamStatus: 200,
      errorCode: null,
    },
  ]);
});

test('executeTool sends a body as JSON', async () => {
  const { call, sent } = setUp([{}]);
  await call('sample_create');
  expect(String(sent[0]?.body)).toBe('{"id":"a b"}');
  expect(sent[0]?.headers).toContain('content-type');
});

test('a handler gets its input, send, clock and ids', async () => {
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
    title: 'an input that is not an object',
    name: 'sample_get',
    request: { toolInput: [] },
    code: 'invalid_input',
  },
  {
    title: 'a path with parent segments',
    name: 'sample_get',
    request: { toolInput: { id: '..' } },
    code: 'invalid_input',
  },
])('executeTool refuses $title and sends nothing', async ({ name, request, code }) => {
  const { call, sent } = setUp([{}]);
  await expect(call(name, request)).rejects.toMatchObject({ code });
  expect(sent).toEqual([]);
});

test('an invalid input gets every broken rule at once', async () => {
  const { call, executions } = setUp([{}]);
  const refused = call('sample_get', { toolInput: { max: 51, typo: 1 } });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  const { details } = await refused.catch((error) => error);
  expect(
    details.errors.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`).toSorted(),
  ).toEqual(['id required', 'max maximum', 'typo additionalProperties']);
  expect(executions).toMatchObject([{ status: 400, errorCode: 'invalid_input', upstreamStatus: null }]);
});

test('a tool with a missing handler prevents the start', () => {
  const catalog = load('lonely', [tool('lonely_run', true, { handler: true })]);
  const unused = () => expect.unreachable('No tool runs.');
  expect(() =>
    createRunTool({ catalog, handlers: {}, now: unused, randomId: unused, sleep: unused }),
  ).toThrow(/"lonely_run".*no handler/);
});

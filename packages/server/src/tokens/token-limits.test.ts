import { expect, test } from 'vitest';
import { proxyAllows } from './proxy-limits.js';
import {
  findBrokenByName,
  findBrokenLimit,
  isTokenLimits,
  limitsNeedApproval,
  offersTool,
  type TokenLimits,
  type TokenUse,
} from './token-limits.js';

const account = { id: 'acct_1', connectionName: 'calendar', identifier: 'user_42' };
const base = { at: 1_000_000, audience: 'https://svc.example/v1', account };
const reading = { readOnly: true, destructive: false };
const writing = { readOnly: false, destructive: false };
const destroying = { readOnly: false, destructive: true };
const tool = (input: unknown, hints = writing): TokenUse => ({
  ...base,
  tool: { name: 'create', hints, input },
});
const proxied = (method: string, path = '/v3/events', isBatch = false): TokenUse => ({
  ...base,
  proxied: { methods: [method], path, isBatch },
});
const batch = proxied('POST', '/v3/$batch', true);
// Batch request with a header that overrides the method to GET. The checks treat it as a write.
const readingBatch = proxied('GET', '/v3/$batch', true);
const baseUse: TokenUse = base;
const limitArgument = (path: string, limit: object): TokenLimits => ({
  arguments: { create: { [path]: limit } },
});

interface Case {
  readonly title: string;
  readonly limits: TokenLimits;
  readonly allowed?: readonly TokenUse[];
  readonly refused?: readonly TokenUse[];
}

const CASES: readonly Case[] = [
  { title: 'no restriction', limits: {}, allowed: [baseUse, tool({}), proxied('DELETE')] },
  { title: 'the user', limits: { identifier: 'user_42' }, allowed: [baseUse, tool({}), proxied('PUT')] },
  { title: 'another user', limits: { identifier: 'user_4' }, refused: [baseUse, tool({}), proxied('PUT')] },
  { title: 'the connection', limits: { connections: ['video', 'calendar'] }, allowed: [baseUse, tool({})] },
  {
    title: 'other connections',
    limits: { connections: ['video'] },
    refused: [baseUse, tool({}), proxied('GET')],
  },
  { title: 'the account', limits: { accounts: ['acct_1'] }, allowed: [baseUse, tool({}), proxied('GET')] },
  { title: 'no account', limits: { accounts: [] }, refused: [baseUse, tool({}), proxied('GET')] },
  {
    title: 'the tool, without the proxy',
    limits: { tools: ['create'] },
    allowed: [baseUse, tool({})],
    refused: [proxied('GET')],
  },
  {
    title: 'other tools',
    limits: { tools: ['list'] },
    allowed: [baseUse],
    refused: [tool({}), proxied('GET')],
  },
  {
    title: 'the tool and a path',
    limits: { tools: ['create'], proxy: [{ path: '/v3/events' }] },
    allowed: [tool({}), proxied('POST')],
    refused: [proxied('GET', '/v3/events/1')],
  },
  {
    title: 'the paths below a prefix',
    limits: { proxy: [{ path: '/v3/' }] },
    allowed: [tool({}), proxied('GET')],
    refused: [proxied('GET', '/v3'), proxied('GET', '/v4/')],
  },
  {
    title: 'a method',
    limits: { proxy: [{ methods: ['GET'], path: '/' }] },
    allowed: [proxied('GET'), proxied('HEAD')],
    refused: [proxied('POST')],
  },
  {
    title: 'methods, which excludes batches',
    limits: { proxy: [{ methods: ['GET', 'POST'], path: '/v3/' }] },
    allowed: [proxied('POST', '/v3/$batch')],
    refused: [batch],
  },
  { title: 'the path of a batch', limits: { proxy: [{ path: '/v3/' }] }, allowed: [batch] },
  {
    title: 'a number of calls, which excludes batches',
    limits: { maxCalls: 9 },
    allowed: [proxied('POST')],
    refused: [batch],
  },
  { title: 'no proxy', limits: { proxy: [] }, allowed: [tool({}), baseUse], refused: [proxied('GET')] },
  {
    title: 'reading',
    limits: { readOnly: true },
    allowed: [baseUse, tool({}, reading), proxied('GET'), proxied('HEAD')],
    refused: [tool({}), tool({}, destroying), proxied('POST'), readingBatch],
  },
  { title: 'a later expiry', limits: { expiresAt: 1001 }, allowed: [baseUse, tool({})] },
  {
    title: 'an expiry in the past',
    limits: { expiresAt: 1000 },
    refused: [baseUse, tool({}), proxied('GET')],
  },
  { title: 'the service', limits: { audience: 'https://svc.example' }, allowed: [baseUse, tool({})] },
  {
    title: 'the endpoint',
    limits: { audience: 'https://svc.example/v1' },
    allowed: [baseUse, tool({}), proxied('GET')],
  },
  {
    title: 'another endpoint',
    limits: { audience: 'https://svc.example/v' },
    refused: [baseUse, tool({}), proxied('GET')],
  },
  { title: 'another service', limits: { audience: 'https://svc.example.org/v1' }, refused: [baseUse] },
  {
    title: 'an equal argument',
    limits: limitArgument('id', { eq: 'primary' }),
    allowed: [tool({ id: 'primary' })],
    refused: [
      tool({ id: 'other' }),
      tool({}),
      tool({ id: ['other'] }),
      tool({ id: { toString: 1 } }),
      proxied('GET'),
    ],
  },
  {
    title: 'an equal number',
    limits: limitArgument('id', { eq: 5 }),
    allowed: [tool({ id: 5 })],
    refused: [tool({ id: '5' })],
  },
  {
    title: 'a set of values',
    limits: limitArgument('id', { in: ['a', null] }),
    allowed: [tool({ id: 'a' }), tool({ id: null })],
    refused: [tool({ id: 'b' }), tool({})],
  },
  {
    title: 'a prefix',
    limits: limitArgument('url', { prefix: 'https://a.example/' }),
    allowed: [tool({ url: 'https://a.example/b' })],
    refused: [tool({ url: 'https://a.example.org/' }), tool({ url: 5 })],
  },
  {
    title: 'a range of numbers',
    limits: limitArgument('count', { min: 1, max: 5 }),
    allowed: [tool({ count: 1 }), tool({ count: 5 })],
    refused: [tool({ count: 0 }), tool({ count: 6 }), tool({ count: '3' }), tool({})],
  },
  {
    title: 'a nested argument',
    limits: limitArgument('start.zone', { eq: 'UTC' }),
    allowed: [tool({ start: { zone: 'UTC' } })],
    refused: [tool({ start: 'UTC' }), tool({ start: {} }), tool({ 'start.zone': 'UTC' })],
  },
  {
    title: 'every item of a list',
    limits: limitArgument('to.mail', { prefix: 'a@' }),
    allowed: [tool({ to: [{ mail: 'a@x' }, { mail: 'a@y' }] })],
    refused: [tool({ to: [{ mail: 'a@x' }, { mail: 'b@y' }] }), tool({ to: [{}] }), tool({ to: [] })],
  },
  {
    title: 'every value of a list',
    limits: limitArgument('tags', { in: ['a', 'b'] }),
    allowed: [tool({ tags: ['a', 'b'] })],
    refused: [tool({ tags: ['a', 'c'] }), tool({ tags: [['c']] })],
  },
  {
    title: 'arguments of another tool',
    limits: { arguments: { list: { id: { eq: 1 } } } },
    allowed: [tool({})],
    refused: [proxied('GET')],
  },
  {
    title: 'approvals for some tools',
    limits: { approve: ['create'] },
    allowed: [baseUse, tool({})],
    refused: [proxied('GET')],
  },
];

test.each(CASES)('T1: a token with limits: $title', ({ limits, allowed = [], refused = [] }) => {
  expect(isTokenLimits(limits)).toBe(true);
  for (const use of allowed) expect(findBrokenLimit([{}, limits], use)).toBeUndefined();
  for (const use of refused) expect(Object.keys(limits)).toContain(findBrokenLimit([limits, {}], use)?.limit);
});

test.each<{
  title: string;
  limits: TokenLimits;
  approved: readonly TokenUse[];
  unapproved: readonly TokenUse[];
}>([
  {
    title: 'for every call with "always"',
    limits: { approve: 'always' },
    approved: [tool({}, reading), proxied('GET')],
    unapproved: [baseUse],
  },
  {
    title: 'for destructive calls with "destructive"',
    limits: { approve: 'destructive' },
    approved: [tool({}, destroying), proxied('POST'), readingBatch],
    unapproved: [tool({}), proxied('GET'), baseUse],
  },
  {
    title: 'for no call with "never"',
    limits: { approve: 'never' },
    approved: [],
    unapproved: [tool({}, destroying), proxied('DELETE')],
  },
  { title: 'for a named tool', limits: { approve: ['create'] }, approved: [tool({})], unapproved: [baseUse] },
])('T1: an approval is required $title', ({ limits, approved, unapproved }) => {
  for (const use of approved) expect(limitsNeedApproval([limits, { approve: 'never' }], use)).toBe(true);
  for (const use of unapproved) expect(limitsNeedApproval([limits], use)).toBe(false);
});

test('a tool is offered according to its name and its hints only', () => {
  const of = (limits: TokenLimits, hints = writing) =>
    offersTool([limits], { ...base, tool: { name: 'create', hints } });
  expect(of({ identifier: 'user_1', ...limitArgument('id', { eq: 1 }) })).toBe(true);
  expect([
    of({ tools: [] }),
    of({ readOnly: true }),
    of({ expiresAt: 0 }),
    of({ audience: 'https://x' }),
  ]).not.toContain(true);
});

test('the limits by name are checked before the account is looked up', () => {
  const of = (limits: TokenLimits) =>
    findBrokenByName([limits], {
      at: base.at,
      audience: base.audience,
      connectionName: 'calendar',
      identifier: 'user_42',
    })?.limit;
  expect(of({ accounts: [], tools: [] })).toBeUndefined();
  expect(of({ identifier: 'user_1' })).toBe('identifier');
  expect(of({ connections: [] })).toBe('connections');
  expect(of({ account: '' })).toBeUndefined();
  expect(of({ account: 'work' })).toBe('account');
});

test.each([
  { tool: ['a'] },
  { tools: [''] },
  { tools: ['a'.repeat(257)] },
  { readOnly: false },
  { maxCalls: -1 },
  { maxCalls: 1.5 },
  { expiresAt: '1' },
  { approve: 'sometimes' },
  { approve: [['always']] },
  { arguments: { create: { id: {} } } },
  { arguments: { create: { id: { matches: '.*' } } } },
  { arguments: { create: { id: { eq: [] } } } },
  { proxy: [{ path: 'v3' }] },
  { proxy: [{ path: '/', methods: ['get'] }] },
  { proxy: { path: '/' } },
])('T2: %j is no valid set of limits', (limits) => {
  expect(isTokenLimits(limits)).toBe(false);
});

test.each([
  { limit: '/projects/group%2Fa/', path: '/projects/group%2Fa/issues', allowed: true },
  { limit: '/projects/', path: '/projects/group%2Fa/issues', allowed: true },
  { limit: '/projects/group%2Fa', path: '/projects/group%2fa', allowed: false },
  { limit: '/projects/group/', path: '/projects/group%2Fa/issues', allowed: false },
  { limit: '/projects/group%2Fa/', path: '/projects/group/a/issues', allowed: false },
  { limit: '/projects/group%2Fa/', path: '/projects/group%2Fab/issues', allowed: false },
])('a limit on $limit allows $path: $allowed', ({ limit, path, allowed }) => {
  expect(proxyAllows([{ path: limit }], { methods: ['GET'], path, isBatch: false })).toBe(allowed);
});

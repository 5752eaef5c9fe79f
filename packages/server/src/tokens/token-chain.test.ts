import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFull } from '../../test/support/runner/rounds.js';
import { createDigest } from '../vault/pepper.js';
import { issueToken, MAX_TOKEN_CHARACTERS, narrowToken, verifyToken } from './token-chain.js';
import { findBrokenLimit, limitsNeedApproval, type TokenLimits, type TokenUse } from './token-limits.js';

const RUNS = isFull ? 1_000_000 : 10_000;
const digest = createDigest(Buffer.alloc(32, 1));
const ID = `tok_${'0'.repeat(24)}`;

// Small vocabulary, so that random limits allow about as many uses as they refuse.
const name = fc.constantFrom('a', 'b');
const names = fc.subarray(['a', 'b']);
const method = fc.constantFrom('GET', 'HEAD', 'POST');
const path = fc.constantFrom('/a', '/a/', '/a/b');
const scalar = fc.constantFrom('a', 'ab', 1, 5, true, null);
const argument = fc.oneof(
  fc.record({ eq: scalar }),
  fc.record({ in: fc.array(scalar, { maxLength: 2 }) }),
  fc.record({ prefix: fc.constantFrom('a', 'ab') }),
  fc.record({ min: fc.constantFrom(1, 4), max: fc.constantFrom(1, 5) }),
);
const limits: fc.Arbitrary<TokenLimits> = fc.record(
  {
    identifier: name,
    connections: names,
    accounts: names,
    tools: names,
    arguments: fc.dictionary(name, fc.dictionary(fc.constantFrom('x', 'x.y'), argument, { maxKeys: 1 }), {
      maxKeys: 1,
    }),
    proxy: fc.array(
      fc.record({ methods: fc.uniqueArray(method, { maxLength: 2 }), path }, { requiredKeys: ['path'] }),
      { maxLength: 2 },
    ),
    readOnly: fc.constant(true as const),
    expiresAt: fc.constantFrom(1, 2),
    maxCalls: fc.nat(3),
    audience: fc.constantFrom('https://svc.example', 'https://svc.example/mcp'),
    approve: fc.oneof(fc.constantFrom('always' as const, 'destructive' as const, 'never' as const), names),
  },
  { requiredKeys: [] },
);
// Keeps at most two limits in each set of limits, because a token with all limits would allow nothing.
const link = limits.chain((all) =>
  fc
    .subarray(Object.keys(all), { maxLength: 2 })
    .map(
      (keys): TokenLimits => Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key))),
    ),
);
const kind = fc.oneof(
  fc.record({
    tool: fc.record({
      name,
      hints: fc.record({ readOnly: fc.boolean(), destructive: fc.boolean() }),
      input: fc.oneof(
        fc.record({ x: scalar }),
        fc.record({ x: fc.record({ y: scalar }) }),
        fc.record({ x: fc.array(fc.record({ y: scalar }), { maxLength: 2 }) }),
      ),
    }),
  }),
  fc.record({
    proxied: fc.record({
      methods: fc.array(method, { minLength: 1, maxLength: 2 }),
      path,
      isBatch: fc.boolean(),
    }),
  }),
  fc.constant({}),
);
const use = fc
  .record({
    at: fc.constantFrom(0, 1000, 2000),
    audience: fc.constantFrom('https://svc.example/v1', 'https://svc.example/mcp'),
    account: fc.record({ id: name, connectionName: name, identifier: name }),
    kind,
  })
  .map(({ kind, ...shared }): TokenUse => ({ ...shared, ...kind }));

/** Decides whether the token allows a use, with the same functions as the API, the proxy and MCP. */
function decide(token: string, use: TokenUse) {
  const links = verifyToken(digest, token)?.links;
  return {
    isAllowed: links !== undefined && findBrokenLimit(links, use) === undefined,
    needsApproval: limitsNeedApproval(links ?? [], use),
  };
}

/** Draws pseudo-random values from a fixed sample, because generating a new value for every chain takes minutes. */
function draw<Value>(sample: readonly Value[], seed: number): () => Value {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const drawn = sample[(state >>> 8) % sample.length];
    if (drawn === undefined) throw new Error('The sample is empty.');
    return drawn;
  };
}

test('T1: a child token never exceeds its parent nor avoids its approvals', () => {
  const nextLink = draw(fc.sample(link, 2003), 1);
  const nextUse = draw(fc.sample(use, 3001), 2);
  const nextLength = draw([1, 2, 3, 4], 3);
  const seen = { allowed: 0, narrowed: 0, widened: [] as string[] };
  for (let run = 0; run < RUNS; run += 1) {
    const use = nextUse();
    let parent = issueToken(digest, ID, nextLink());
    let before = decide(parent, use);
    for (let length = nextLength(); length > 0; length -= 1) {
      const child = narrowToken(parent, nextLink());
      const after = decide(child, use);
      const isWider =
        (after.isAllowed && !before.isAllowed) || (before.needsApproval && !after.needsApproval);
      if (isWider) seen.widened.push(child);
      seen.allowed += Number(after.isAllowed);
      seen.narrowed += Number(before.isAllowed && !after.isAllowed);
      [parent, before] = [child, after];
    }
  }
  expect(seen.widened.slice(0, 5)).toEqual([]);
  // Checks that the test is meaningful: allowed uses and narrowed uses both occur often.
  expect(seen.allowed).toBeGreaterThan(RUNS / 10);
  expect(seen.narrowed).toBeGreaterThan(RUNS / 10);
}, 1_800_000);

describe('T2: a forged token', () => {
  const first = issueToken(digest, ID, { tools: ['a'] });
  const second = narrowToken(first, { connections: ['a'] });
  const third = narrowToken(second, { readOnly: true });
  const parts = third.split('.');
  const [head = '', one = '', two = '', three = '', seal = ''] = parts;
  const other = issueToken(createDigest(Buffer.alloc(32, 2)), ID, { tools: ['a'] });
  const encode = (limits: unknown) => Buffer.from(JSON.stringify(limits)).toString('base64url');
  const ofAnother = head.replace(/0$/, '1');
  test.each([
    { title: 'sealed with another key', token: other },
    { title: 'without its last link', token: [head, one, two, seal].join('.') },
    { title: 'without its first link', token: [head, two, three, seal].join('.') },
    { title: 'without any link', token: [head, seal].join('.') },
    { title: 'without its seal', token: [head, one, two, three].join('.') },
    { title: 'with an empty seal', token: [head, one, two, three, ''].join('.') },
    { title: 'with half of its seal', token: [head, one, two, three, seal.slice(0, 22)].join('.') },
    { title: 'with another spelling of the seal', token: [head, one, two, three, `${seal}=`].join('.') },
    { title: 'with links in another order', token: [head, one, three, two, seal].join('.') },
    { title: 'with a duplicate link', token: [head, one, two, three, three, seal].join('.') },
    { title: 'with a wider link', token: [head, encode({ tools: ['a', 'b'] }), two, three, seal].join('.') },
    { title: 'with an empty link', token: [head, encode({}), two, three, seal].join('.') },
    {
      title: 'with the seal of its parent',
      token: [head, one, two, three, second.split('.').at(-1)].join('.'),
    },
    { title: 'under another id', token: [ofAnother, one, two, three, seal].join('.') },
    { title: 'under an id with another prefix', token: third.replace('tok_', 'key_') },
    { title: 'with an unknown limit', token: narrowToken(third, { sudo: true } as object) },
    {
      title: 'with an unknown property in a limit',
      token: narrowToken(third, { proxy: [{ path: '/', hosts: [] }] } as object),
    },
    { title: 'with a limit of the wrong type', token: narrowToken(third, { tools: 'a' } as object) },
    { title: 'with a limit of null', token: narrowToken(third, { tools: null } as object) },
    { title: 'with an array of limits', token: narrowToken(third, [] as object) },
    {
      title: 'with a limit named __proto__',
      token: narrowToken(third, JSON.parse('{"__proto__":{}}')),
    },
    {
      title: 'with too many links',
      token: Array.from({ length: 16 }).reduce<string>((token) => narrowToken(token, {}), first),
    },
    {
      title: 'beyond the maximum length',
      token: narrowToken(first, { tools: Array.from({ length: 99 }, () => 'a'.repeat(99)) }),
    },
    { title: 'with a trailing character', token: `${third}.` },
    { title: 'of another kind', token: 'svc_at_x' },
  ])('is refused $title', ({ token }) => {
    expect(verifyToken(digest, third)?.links).toEqual([
      { tools: ['a'] },
      { connections: ['a'] },
      { readOnly: true },
    ]);
    expect(verifyToken(digest, token)).toBeUndefined();
  });

  test('is refused with any changed character', () => {
    for (const [index, character] of [...third].entries()) {
      // Base64 ignores some bits of the last character. The service must still refuse a changed character.
      const token = third.slice(0, index) + (character === 'A' ? 'B' : 'A') + third.slice(index + 1);
      expect(verifyToken(digest, token)).toBeUndefined();
    }
    expect(third.length).toBeLessThan(MAX_TOKEN_CHARACTERS);
  });
});

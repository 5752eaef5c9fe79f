import { expect, test } from 'vitest';
import patterns from '../../test/patterns.json' with { type: 'json' };
import { problemOfPattern } from './linear-pattern.js';

test.each(patterns.linear)('accepts the linear pattern %s', (pattern) => {
  expect(problemOfPattern(pattern)).toBeUndefined();
});

// Regular expressions that took more than 250 ms on a text that was made to slow them down.
test.each(patterns.notLinear)('refuses %s, which can take exponential time', (pattern) => {
  expect(problemOfPattern(pattern)).toEqual(expect.any(String));
});

test.each(patterns.refusedThoughLinear)(
  'refuses the linear pattern %s, which the analysis cannot follow',
  (pattern) => {
    expect(problemOfPattern(pattern)).toEqual(expect.any(String));
  },
);

test('analyses a long pattern in less than 1 s', { retry: 2 }, () => {
  const long = `^(?:${'[a-z]{0,90}\\d{0,90}'.repeat(40)})+$`;
  const startedAt = performance.now();
  expect(problemOfPattern(long)).toEqual(expect.any(String));
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

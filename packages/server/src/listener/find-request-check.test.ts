import { expect, test } from 'vitest';
import { createRequestChecks, digestOf } from './find-request-check.js';
import { closed } from './list-schema.js';
import { createRequestValidators } from './request-validator.js';

const schema = closed({ name: { type: 'string' } });

test('a schema unknown to the build is compiled on load, and refuses everything before', async () => {
  const { find, load } = createRequestChecks({});
  const check = find(schema, 'body');
  expect(() => check({ name: 'a' })).toThrow('still starting');
  await load();
  expect(check({ name: 'a' })).toEqual({});
  expect(check({ name: 1 }).error?.map(({ rule }) => rule)).toEqual(['type']);
});

test('a compiled schema is found by its content and its location', () => {
  const compiled = { isValid: () => () => true, listProblems: () => () => true };
  const { find } = createRequestChecks({ [digestOf(schema, 'body')]: compiled as never });
  expect(find(structuredClone(schema), 'body')({})).toEqual({});
  expect(() => find(schema, 'querystring')({})).toThrow('still starting');
  expect(createRequestValidators()(schema, 'body')({}).error).toHaveLength(1);
});

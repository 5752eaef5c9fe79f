import type { JsonSchema } from '@svc/catalog';
import { expect, test } from 'vitest';
import { expandGroups } from './expand-groups.js';

const branches = (schema: JsonSchema) =>
  expandGroups(schema).map(({ required, never, label }) => [
    label,
    [...required].join(' '),
    [...never].join(' '),
  ]);

test.each<{ title: string; schema: JsonSchema; expected: readonly (readonly string[])[] }>([
  { title: 'a schema without rules into one branch', schema: { required: ['a'] }, expected: [['', 'a', '']] },
  {
    title: 'an exactly-one group',
    schema: { required: ['x'], exactlyOneOf: ['a', 'b_c'] },
    expected: [
      ['ByA', 'x a', 'b_c'],
      ['ByBC', 'x b_c', 'a'],
    ],
  },
  {
    title: 'two exactly-one groups',
    schema: {
      exactlyOneOf: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
    expected: [
      ['ByAByC', 'a c', 'b d'],
      ['ByAByD', 'a d', 'b c'],
      ['ByBByC', 'b c', 'a d'],
      ['ByBByD', 'b d', 'a c'],
    ],
  },
  {
    title: 'an at-most-one group',
    schema: { atMostOneOf: ['a', 'b'] },
    expected: [
      ['ByA', '', 'b'],
      ['ByB', '', 'a'],
    ],
  },
  {
    title: 'a field that some members of a group exclude, without naming it in the branch names',
    schema: { exactlyOneOf: ['a', 'b'], atMostOneOf: ['a', 'c'] },
    expected: [
      ['ByA', 'a', 'b c'],
      ['ByB', 'b', 'a'],
    ],
  },
  {
    title: 'a field that requires another',
    schema: { requiredWith: { a: ['b'] } },
    expected: [
      ['WithA', 'a b', ''],
      ['WithoutA', '', 'a'],
    ],
  },
  {
    title: 'two fields that require each other',
    schema: { requiredWith: { a: ['b'], b: ['a'] } },
    expected: [
      ['WithA', 'a b', ''],
      ['WithoutA', '', 'a b'],
    ],
  },
  {
    title: 'a group member that requires another field',
    schema: { exactlyOneOf: ['a', 'b'], requiredWith: { a: ['c'] } },
    expected: [
      ['ByA', 'a c', 'b'],
      ['ByB', 'b', 'a'],
    ],
  },
  {
    title: 'a requirement that is always met into one branch',
    schema: { required: ['b'], requiredWith: { a: ['b'] } },
    expected: [['', 'b', '']],
  },
])('expands $title', ({ schema, expected }) => {
  expect(branches(schema)).toEqual(expected);
});

test('returns one branch when the rules would need too many branches', () => {
  const requiredWith = Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`a${number}`, [`b${number}`]]));
  expect(expandGroups({ requiredWith })).toHaveLength(1);
});

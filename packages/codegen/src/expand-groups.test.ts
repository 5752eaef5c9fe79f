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
  { title: 'no rules', schema: { required: ['a'] }, expected: [['', 'a', '']] },
  {
    title: 'exactly one of a group',
    schema: { required: ['x'], exactlyOneOf: ['a', 'b_c'] },
    expected: [
      ['ByA', 'x a', 'b_c'],
      ['ByBC', 'x b_c', 'a'],
    ],
  },
  {
    title: 'exactly one of each of two groups',
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
    title: 'at most one of a group',
    schema: { atMostOneOf: ['a', 'b'] },
    expected: [
      ['ByA', '', 'b'],
      ['ByB', '', 'a'],
    ],
  },
  {
    title: 'a field that only some members of a group leave room for, without a word about it in names',
    schema: { exactlyOneOf: ['a', 'b'], atMostOneOf: ['a', 'c'] },
    expected: [
      ['ByA', 'a', 'b c'],
      ['ByB', 'b', 'a'],
    ],
  },
  {
    title: 'a field that needs another',
    schema: { requiredWith: { a: ['b'] } },
    expected: [
      ['WithA', 'a b', ''],
      ['WithoutA', '', 'a'],
    ],
  },
  {
    title: 'two fields that need each other',
    schema: { requiredWith: { a: ['b'], b: ['a'] } },
    expected: [
      ['WithA', 'a b', ''],
      ['WithoutA', '', 'a b'],
    ],
  },
  {
    title: 'a member of a group that needs another field',
    schema: { exactlyOneOf: ['a', 'b'], requiredWith: { a: ['c'] } },
    expected: [
      ['ByA', 'a c', 'b'],
      ['ByB', 'b', 'a'],
    ],
  },
  {
    title: 'a need that is met anyway',
    schema: { required: ['b'], requiredWith: { a: ['b'] } },
    expected: [['', 'b', '']],
  },
])('expands $title', ({ schema, expected }) => {
  expect(branches(schema)).toEqual(expected);
});

test('leaves rules to the service that would make a page of branches', () => {
  const requiredWith = Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`a${number}`, [`b${number}`]]));
  expect(expandGroups({ requiredWith })).toHaveLength(1);
});

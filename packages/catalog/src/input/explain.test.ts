import { expect, test } from 'vitest';
import { thrownBy } from '../../test/fixture.js';
import { type InputCase, loadInput, props, rulesBroken, text } from '../../test/input.js';

const table: readonly InputCase[] = [
  {
    title: 'the meaning of a pattern',
    input: props({
      places: { ...text, pattern: '^[^,]*(,[^,]*)?$', description: 'Places, two at most.' },
      codes: { type: 'array', items: { type: 'string', pattern: '^[A-Z]$' } },
    }),
    given: { places: 'a,b,c', codes: ['1'] },
    broken: [
      [
        'places',
        'pattern',
        '"places" must match the pattern ^[^,]*(,[^,]*)?$ (Places, two at most)',
        'string',
      ],
      ['codes[0]', 'pattern', '"codes[0]" must match the pattern ^[A-Z]$', 'string'],
    ],
  },
  {
    title: 'the known fields when an input has too few',
    input: props({ id: text, url: text }, { minProperties: 1 }),
    given: {},
    broken: [
      ['', 'minProperties', 'the input must have at least 1 field; known fields: id and url', 'object'],
    ],
  },
  {
    title: 'the forbidden values',
    input: props({ id: { ...text, not: { enum: ['me', 'all'] } }, url: { ...text, not: { minLength: 3 } } }),
    given: { id: 'me', url: 'abc' },
    broken: [
      ['id', 'not', '"id" must not be one of me and all', 'string'],
      ['url', 'not', '"url" must not match "not" in its schema', 'string'],
    ],
  },
  {
    title: 'the reason for a condition',
    input: props(
      { order: text, single: { type: 'boolean' }, page: text },
      {
        if: { properties: { order: { const: 'start' } }, required: ['order'] },
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
        then: {
          description: 'An order begins somewhere.',
          properties: { single: { const: true, description: 'A series has no order.' } },
          required: ['page'],
        },
      },
    ),
    given: { order: 'start', single: false },
    broken: [
      ['page', 'required', '"page" is required (An order begins somewhere)'],
      ['single', 'const', '"single" must be true (A series has no order)', 'boolean'],
    ],
  },
];

test.each(table)('explains $title when the schema describes it', ({ input, given, broken }) => {
  expect(rulesBroken(input, given)).toEqual(broken);
});

test.each([
  { given: { nam: 'a' }, end: 'did you mean "name"?' },
  { given: { name: 1 }, end: 'but a number was given.' },
])('ends in one punctuation mark: $end', ({ given, end }) => {
  const { catalog, tool, version } = loadInput(props({ name: text }));
  const error = thrownBy(() => catalog.validateInput(tool, version, given));
  expect(String(error).endsWith(end)).toBe(true);
});

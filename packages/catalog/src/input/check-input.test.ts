import { describe, expect, test } from 'vitest';
import { loadInput, object, props, text } from '../../test/input.js';
import { childSchemas } from '../child-schemas.js';
import { InvalidInputError } from '../errors.js';
import type { JsonObject, JsonSchema } from '../json-schema.js';
import { loadCatalog } from '../load/load-catalog.js';
import { createCheckInput } from './check-input.js';
import { CHECKS } from './interpret.js';

/**
 * JSON Schema keywords that need no validation function, because they reject nothing or another keyword evaluates them.
 */
const TELLING = ['$defs', 'default', 'description', 'else', 'examples', 'then', 'title', 'writeOnly'];

const keywordsIn = (schema: JsonSchema): readonly string[] => [
  ...Object.keys(schema),
  ...childSchemas(schema).flatMap(({ schema: child }) => keywordsIn(child)),
];

test('implements every keyword that the inputs of the tools use', () => {
  const catalog = loadCatalog();
  const used = [...catalog.tools.values()].flatMap((tool) =>
    tool.versions.flatMap((version) => keywordsIn(catalog.plainInputSchemaOf(tool, version))),
  );
  expect(used.length).toBeGreaterThan(4000);
  const known = [...Object.keys(CHECKS), ...TELLING];
  expect([...new Set(used)].filter((keyword) => !known.includes(keyword))).toEqual([]);
});

interface Case {
  readonly schema: JsonObject;
  readonly given: unknown;
}

const open = { type: 'object', additionalProperties: true };
const short = { type: 'string', maxLength: 3 };
const conditions = {
  if: { required: ['a'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { required: ['b'] },
  else: { required: ['c'] },
};

/** Schemas with keywords that no built-in tool uses, but that a private catalogue may use. */
const cases: Readonly<Record<string, Case>> = {
  patternProperties: {
    schema: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      patternProperties: { '^t_': short, _x$: { type: 'string', minLength: 2 } },
    },
    given: { t_a: 'long text', t_x: 'a', b: '1', c: 1 },
  },
  propertyNames: {
    schema: { ...open, propertyNames: short },
    given: { long: 1, abc: 2, longer: 3 },
  },
  'prefixItems without further items': {
    schema: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false, minItems: 2 },
    given: [1, 'a'],
  },
  dependentRequired: {
    schema: object({ a: text, b: text, c: text }, { dependentRequired: { a: ['b', 'c'], c: ['b'] } }),
    given: { a: '', c: '' },
  },
  'equal items of one type with others between them': {
    schema: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
    given: [1, 2, 'x', 2, 'x', 1],
  },
  'equal items of any type': {
    schema: { type: 'array', uniqueItems: true, items: {} },
    given: [{ a: 1 }, 2, { a: 1 }, 2],
  },
  'a reference with an additional rule': {
    schema: { ...open, $ref: 'types.json#/$defs/Icon', minProperties: 3 },
    given: { type: 'emoji', emoji: 1 },
  },
  conditions: { schema: { ...open, ...conditions, allOf: [{ minProperties: 3 }] }, given: { a: 1 } },
  'the else branch of a condition': { schema: { ...open, ...conditions }, given: {} },
  'a forbidden schema': { schema: { ...open, not: { required: ['a'] } }, given: { a: 1 } },
  'a value that matches two oneOf branches': {
    schema: { type: 'integer', oneOf: [{ minimum: 1 }, { maximum: 5 }] },
    given: 3,
  },
  'the bounds of a number': {
    schema: {
      type: 'number',
      exclusiveMinimum: 1,
      exclusiveMaximum: 1,
      multipleOf: 2,
      minimum: 3,
      maximum: 0,
    },
    given: 1,
  },
  'a number written with an exponent': { schema: { type: 'number', multipleOf: 1 }, given: -1e21 },
  'the bounds of a text': {
    schema: { type: 'string', pattern: '^x', minLength: 9, maxLength: 0, format: 'uri' },
    given: 'é',
  },
  'too few fields, and one missing': {
    schema: object({ d: text }, { minProperties: 2, required: ['d'] }),
    given: {},
  },
  'too many fields': { schema: { ...open, maxProperties: 1 }, given: { a: 1, b: 2 } },
  'too many items': { schema: { type: 'array', maxItems: 1 }, given: [1, 2] },
  'one of several values': {
    schema: { enum: ['x', 1, null], type: ['string', 'integer', 'null'] },
    given: true,
  },
  'one value': { schema: { const: { g: 1 } }, given: 2 },
};

const fieldOf = (title: string) => title.replaceAll(/\W+/g, '_');
const properties = Object.fromEntries(
  Object.entries(cases).map(([title, { schema }]) => [fieldOf(title), schema]),
);
const { catalog, tool, version } = loadInput(props(properties));
const check = createCheckInput(catalog.plainInputSchemaOf(tool, version), () => new Date());

function ajvProblems(input: unknown): readonly unknown[] {
  try {
    catalog.validateInput(tool, version, input);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.errors;
    throw error;
  }
}

describe('the input check without ajv', () => {
  test.each(Object.entries(cases))('reports the same problems as ajv for %s', (title, { given }) => {
    const input = { [fieldOf(title)]: given };
    const problems = check(input);
    expect(problems).toEqual(ajvProblems(input));
    expect(problems.length).toBeGreaterThan(0);
  });

  test('accepts a member that is undefined and leaves the input unchanged', () => {
    const input = { one_value: undefined, too_many_items: [undefined] };
    expect(check(input)).toEqual([]);
    expect(input).toEqual({ one_value: undefined, too_many_items: [undefined] });
  });
});

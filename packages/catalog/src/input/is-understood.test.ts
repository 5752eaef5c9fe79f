import { describe, expect, test } from 'vitest';
import { worsen } from '../../test/worsen.js';
import { createIsFormat } from '../formats.js';
import type { JsonSchema } from '../json-schema.js';
import { loadCatalog } from '../load/load-catalog.js';
import { allFormats, createAjvs, createObjectRules } from './create-ajvs.js';
import { interpret } from './interpret.js';
import { isUnderstood, KEYWORDS } from './is-understood.js';

const now = () => new Date('2026-11-20T12:00:00Z');
const catalog = loadCatalog({ now });
const versions = [...catalog.tools.values()].flatMap((tool) =>
  tool.versions.map((version) => ({ title: `${tool.name} ${version.schema_version}`, tool, version })),
);

/**
 * Values that the test validates with every schema. Each value is valid for some JSON Schema keywords and invalid for
 * most.
 */
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  3,
  '',
  'string',
  'no-such-type',
  '(',
  'date',
  '#/$defs/A',
  [],
  ['a'],
  ['a', 'a'],
  ['string', 'null'],
  ['string', 'string'],
  [{}],
  [{ type: 'string', default: 'x' }],
  [true],
  {},
  { a: {} },
  { a: true },
  { a: { maxLenght: 3 } },
  { type: 'text' },
  { properties: { a: { default: 1 } } },
  { a: { type: 'string', default: 'x' } },
];
const MORE = [
  'if',
  'then',
  'contains',
  'maxLenght',
  'prefixItems',
  'unevaluatedProperties',
  'dependentRequired',
];

describe('isUnderstood', () => {
  test.each([...Object.keys(KEYWORDS), ...MORE])(
    'accepts only schemas that ajv accepts, with the keyword %s',
    (keyword) => {
      const { first } = createAjvs(createObjectRules(now));
      const shapes = keyword === '$defs' ? {} : { $defs: { A: { type: 'string' } } };
      const schemas = VALUES.map((value): JsonSchema => ({ ...shapes, [keyword]: value }));
      const understood = schemas.filter(isUnderstood);
      for (const schema of understood)
        expect(() => first.compile(schema), JSON.stringify(schema)).not.toThrow();
      expect(understood.length > 0).toBe(Object.hasOwn(KEYWORDS, keyword));
    },
  );
});

test('isUnderstood accepts the same combinations of if, then and else as ajv', () => {
  const parts = ['if', 'then', 'else'];
  const given = Array.from({ length: 8 }, (_, bits) => parts.filter((_part, index) => bits & (1 << index)));
  for (const keywords of given) {
    const { first } = createAjvs(createObjectRules(now));
    const of = (part: unknown): JsonSchema => Object.fromEntries(keywords.map((keyword) => [keyword, part]));
    const isTaken = (schema: JsonSchema) => {
      try {
        return first.compile(schema) !== undefined;
      } catch {
        return false;
      }
    };
    expect(isUnderstood(of({ type: 'string' })), keywords.join()).toBe(isTaken(of({ type: 'string' })));
    expect(isUnderstood(of({ type: 'text' })), keywords.join()).toBe(keywords.length === 0);
    expect(isUnderstood(of({ default: 1 })), keywords.join()).toBe(keywords.length === 0);
  }
});

test('isUnderstood accepts more than 99 % of the tool schemas', () => {
  const schemas = versions.flatMap(({ tool, version }) => [
    catalog.plainInputSchemaOf(tool, version),
    catalog.outputSchemaOf(tool, version),
  ]);
  const understood = schemas.filter((schema) => typeof schema !== 'boolean' && isUnderstood(schema));
  expect(understood.length / schemas.length).toBeGreaterThan(0.99);
});

// Quick runs check only every twelfth schema, because compiling all schemas takes long.
const sampled = versions.filter((_, index) => process.env['SVC_TEST_FULL'] === '1' || index % 12 === 0);

describe('the schema interpreter', () => {
  test.each(sampled)('reports the same problems as the compiled schema of $title', ({ tool, version }) => {
    const schema = catalog.outputSchemaOf(tool, version);
    if (typeof schema === 'boolean') return;
    const check = interpret(schema, { subject: 'the data', now, isFormat: createIsFormat(allFormats()) });
    const given = tool.examples.flatMap(({ data, reply }) => data ?? reply ?? []);
    for (const data of [{}, ...given].flatMap((good) => [good, ...worsen(good).slice(0, 200)]))
      expect(check(structuredClone(data)), JSON.stringify(data)).toEqual(
        catalog.outputProblems(tool, version, data),
      );
  });
});

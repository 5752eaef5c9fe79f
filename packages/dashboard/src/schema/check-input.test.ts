import {
  type BrokenRule,
  InvalidInputError,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  loadCatalog,
} from '@svc/catalog';
import { describe, expect, test } from 'vitest';
import { createCheckInput } from './check-input.ts';
import { KEYWORDS, TELLING } from './keywords.ts';

const now = () => new Date('2026-11-22T12:00:00Z');
const catalog = loadCatalog({ now });
const versions = [...catalog.tools.values()].flatMap((tool) =>
  tool.versions.map((version) => ({
    title: `${tool.name} ${version.schema_version}`,
    tool,
    version,
    schema: catalog.plainInputSchemaOf(tool, version),
  })),
);

/** Every schema in a schema, itself first. */
function schemasIn(schema: JsonSchema | boolean): JsonSchema[] {
  if (typeof schema === 'boolean') return [];
  const {
    properties = {},
    $defs = {},
    dependentSchemas,
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema;
  const single = [items, additionalProperties, schema['if'], schema['then'], schema['else'], schema['not']];
  const dependent = isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  single.push(...dependent);
  const children = [...Object.values(properties), ...Object.values($defs), ...anyOf, ...oneOf, ...allOf];
  return [schema, ...[...children, ...single.filter(isJsonObject)].flatMap(schemasIn)];
}

test('knows every keyword that the inputs of the tools use', () => {
  expect(catalog.tools.size).toBeGreaterThanOrEqual(117);
  const used = new Set(versions.flatMap(({ schema }) => schemasIn(schema).flatMap(Object.keys)));
  const known = [...Object.keys(KEYWORDS), ...TELLING];
  expect([...used].filter((keyword) => !known.includes(keyword))).toEqual([]);
});

function rulesOfService({ tool, version }: (typeof versions)[number], input: unknown): readonly BrokenRule[] {
  try {
    catalog.validateInput(tool, version, input);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.errors;
    throw error;
  }
}

const WRONG: readonly unknown[] = [
  null,
  '',
  'nonsense',
  'x'.repeat(3000),
  -1,
  2.5,
  1e9,
  true,
  false,
  [],
  ['same', 'same'],
  Array(101).fill('a'),
  {},
  { unknown: 1 },
  '2020-01-01T00:00:00Z',
  '2031-01-01T00:00:00Z',
];

/** The input with each of its parts in turn left out or wrong. */
function worsened(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value
      .slice(0, 2)
      .flatMap((item, index) => worsened(item).map((worse) => value.with(index, worse)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const { [name]: _, ...without } = value;
    const wrong = [...WRONG, ...worsened(part)].map((worse) => ({ ...value, [name]: worse }));
    return [without, { ...value, unknown_field: 1 }, ...wrong];
  });
}

/** The input with each field that it does not have yet. */
const withMore = (input: JsonObject, { properties = {} }: JsonSchema): unknown[] =>
  Object.keys(properties)
    .filter((name) => !Object.hasOwn(input, name))
    .flatMap((name) => WRONG.map((worse) => ({ ...input, [name]: worse })));

const MOST_TOLD = 20;
const told = (rules: readonly BrokenRule[]) =>
  rules.map(({ field, message }) => `${field}: ${message}`).sort();

describe('finds what the service finds, in the same words, for', () => {
  test.each(versions)('$title', (entry) => {
    const check = createCheckInput(entry.schema, now);
    const examples = entry.tool.examples.map(({ input }) => input);
    const inputs = [
      ...examples,
      ...examples.slice(0, 2).flatMap((input) => [...worsened(input), ...withMore(input, entry.schema)]),
    ];
    for (const input of inputs) {
      if (!isJsonObject(input)) continue;
      const [here, there] = [check(input), rulesOfService(entry, input)];
      expect(here.length, JSON.stringify(input)).toBe(there.length);
      // Of very many only the first are told, and which those are is nobody's business.
      if (there.length < MOST_TOLD) expect(told(here), JSON.stringify(input)).toEqual(told(there));
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectProblems } from '../../test/dialect-problems.js';
import { dialectForm, dialectValues } from '../../test/dialect-values.js';
import { createStandardAjv } from '../../test/standard-ajv.js';
import { InvalidInputError, type JsonSchema, loadCatalog, mapChildSchemas, type Tool } from '../index.js';
import { restoreArguments } from './forms.js';
import { type Dialect, LIMITS } from './limits.js';
import { formatAsPattern } from './standard-formats.js';
import { type DialectInput, toDialect } from './to-dialect.js';

const isFull = Boolean(process.env['SVC_TEST_FULL']);
const RUNS = isFull ? 500 : 5;
const catalog = loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') });
const dialects: readonly Dialect[] = ['openai-strict', 'anthropic-strict', 'gemini'];
const every = [...catalog.tools.values()].map((tool) => ({ tool, name: tool.name }));
const converted = new Map<string, DialectInput>();
const ajv = createStandardAjv();

describe.each(dialects)('%s', (dialect) => {
  test('the limits name their date and source', () => {
    expect(LIMITS[dialect]).toMatchObject({
      dated: expect.stringMatching(/^2026-\d\d-\d\d$/),
      source: expect.stringMatching(/^https:/),
    });
  });

  test.each(every)(
    '$name passes the rules of the vendor and lists the keywords that it dropped',
    ({ tool }) => {
      const { inputSchema, unsaid } = inDialect(tool, dialect);
      expect(dialectProblems(tool.name, inputSchema, dialect)).toEqual([]);
      for (const keyword of unsaid) expect(keyword).toMatch(/^[a-z_]+$/i);
    },
  );

  // Quick runs check each tool in the schema dialect of only one model vendor, to save time.
  const sampled = every.filter((_, index) => isFull || index % dialects.length === dialects.indexOf(dialect));
  test.each(sampled)(
    '$name: a value of the dialect, mapped back, breaks only rules of dropped keywords',
    ({ tool }) => {
      const { inputSchema, unsaid } = inDialect(tool, dialect);
      const check = ajv.compile(inputSchema);
      const checkPlain = ajv.compile(sayable(plainInput(tool), unsaid));
      fc.assert(
        fc.property(dialectValues(inputSchema), (value) => {
          expect(check(value), JSON.stringify(check.errors)).toBe(true);
          const input = restoreArguments(value, dialect);
          expect(checkPlain(input), JSON.stringify(checkPlain.errors)).toBe(true);
          if (unsaid.length === 0) expect(isValidInput(tool, input)).toBe(true);
        }),
        { numRuns: RUNS, seed: 20_261_122 },
      );
    },
  );

  test.each(every)('$name: each example has a dialect form that maps back to the example', ({ tool }) => {
    const { inputSchema } = inDialect(tool, dialect);
    const check = ajv.compile(inputSchema);
    const matches = (schema: JsonSchema, form: unknown) =>
      ajv.validate({ ...schema, ...(inputSchema.$defs && { $defs: inputSchema.$defs }) }, form);
    const { schema_version: current } = catalog.selectVersion(tool);
    for (const example of tool.examples.filter(({ version = current }) => version === current)) {
      const { schema_version: _, tool_version: __, ...input } = example.input;
      const form = dialectForm(inputSchema, input, matches);
      expect(check(form), JSON.stringify(check.errors)).toBe(true);
      expect(restoreArguments(form, dialect)).toEqual(input);
    }
  });
});

function inDialect(tool: Tool, dialect: Dialect): DialectInput {
  const key = `${dialect} ${tool.name}`;
  const input = converted.get(key) ?? toDialect(plainInput(tool), dialect);
  converted.set(key, input);
  return input;
}

function plainInput(tool: Tool): JsonSchema {
  return catalog.plainInputSchemaOf(tool, catalog.selectVersion(tool));
}

/**
 * Returns the input schema without the keywords in `unsaid`, which the model vendor's schema dialect cannot express.
 */
function sayable(schema: JsonSchema, unsaid: readonly string[]): JsonSchema {
  const inner = mapChildSchemas(schema, (child) => sayable(child, unsaid));
  const dropped = [...unsaid, ...(unsaid.includes('if') ? ['then', 'else'] : [])];
  return formatAsPattern(
    Object.fromEntries(Object.entries(inner).filter(([keyword]) => !dropped.includes(keyword))),
  );
}

function isValidInput(tool: Tool, input: unknown): boolean {
  try {
    catalog.validateInput(tool, catalog.selectVersion(tool), input);
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

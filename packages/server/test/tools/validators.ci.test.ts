import {
  type BrokenRule,
  InvalidInputError,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  loadCatalog,
  type Tool,
  type ToolVersion,
  UnknownVersionError,
} from '@svc/catalog';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rounds } from '../support/runner/rounds.js';
import { validatorOf } from '../support/tools/validator-of.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const catalog = loadCatalog();
const cases = [...catalog.tools.values()].flatMap((tool) =>
  tool.versions.map((version) => ({ title: `${tool.name} ${version.schema_version}`, tool, version })),
);

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterAll(() => {
  vi.useRealTimers();
});

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

/** Random change at one path of a tool input. */
interface Edit {
  readonly at: number;
  readonly kind: 'leave out' | 'rename' | 'repeat' | 'replace' | 'add';
  readonly value: unknown;
}

const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record<Edit>({
    at: fc.nat(),
    kind: fc.constantFrom('leave out', 'rename', 'repeat', 'replace', 'replace', 'add'),
    value: fc.oneof(fc.constantFrom(...WRONG), fc.jsonValue({ maxDepth: 3 })),
  }),
  { maxLength: 3 },
);

/** Returns all objects and arrays in a value, including the value itself. */
function containersIn(value: unknown): (JsonObject | unknown[])[] {
  if (Array.isArray(value)) return [value, ...value.flatMap(containersIn)];
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(containersIn)] : [];
}

/** Returns the paths of all fields in an input, and of the top-level fields that it lacks. */
function fieldsIn(input: JsonObject, { input: { properties = {} } }: ToolVersion) {
  const given = containersIn(input).flatMap((container) =>
    Object.keys(container).map((key) => ({ container: container as JsonObject, key })),
  );
  return [...given, ...Object.keys(properties).map((key) => ({ container: input, key }))];
}

function change(input: JsonObject, version: ToolVersion, { at, kind, value }: Edit): void {
  const fields = fieldsIn(input, version);
  const { container, key } = fields[at % fields.length] ?? { container: input, key: 'first' };
  const before = container[key];
  if (kind === 'leave out' || kind === 'rename') delete container[key];
  if (kind === 'rename') container[`${key}s`] = before;
  if (kind === 'repeat') container[key] = [before, structuredClone(before)];
  if (kind === 'replace') container[key] = structuredClone(value);
  if (kind === 'add') container['unknown_field'] = structuredClone(value);
}

/** Returns the service's validation errors for an input, which is serialized to JSON first, as in a request. */
function problemsOfService(tool: Tool, version: ToolVersion, input: unknown): readonly BrokenRule[] {
  try {
    const toolInput: unknown = JSON.parse(JSON.stringify(input));
    const schemaVersion = version.status === 'current' ? undefined : version.schema_version;
    catalog.resolveCall(tool, { toolInput, schemaVersion });
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.errors;
    // Unknown versions have a separate error in the service, so it is converted to a validation error.
    if (error instanceof UnknownVersionError) return [{ field: 'schema_version', rule: 'enum', message: '' }];
    throw error;
  }
}

const isOfVersion = ({ field }: BrokenRule) => field === 'schema_version' || field === 'tool_version';

const generated = ({ examples }: Tool, version: ToolVersion) => {
  const own = examples.filter(({ version: of = version.schema_version }) => of === version.schema_version);
  return fc
    .tuple(fc.constantFrom({}, ...own.map(({ input }) => input)), edits)
    .map(([example, changes]): unknown => {
      const input = structuredClone(example);
      for (const each of changes) change(input, version, each);
      return input;
    });
};

/** Returns values at each limit of a field (length, count or size), and one below and one above. */
function atBounds({ type, items, enum: values = [], ...rest }: JsonSchema): readonly unknown[] {
  const limits = Object.values(rest).filter(
    (limit): limit is number => typeof limit === 'number' && limit < 1e4,
  );
  const item = isJsonObject(items) ? ((items as JsonSchema).enum?.[0] ?? 'x') : 'x';
  return [0, ...limits].flatMap((limit) =>
    [limit - 1, limit, limit + 1].flatMap((measure) => {
      if (type === 'string') return measure < 0 ? [] : ['x'.repeat(measure), ...values];
      if (type === 'array')
        return measure < 0
          ? []
          : [Array.from({ length: measure }, (_, at) => (item === 'x' ? `x${at}` : item))];
      return [measure, ...values];
    }),
  );
}

const bounded = ({ examples }: Tool, { input: { properties = {} } }: ToolVersion) =>
  Object.entries(properties).flatMap(([name, schema]) =>
    atBounds(schema).map((value) => ({ ...examples[0]?.input, [name]: value })),
  );

describe('@svc/<connector>/validate reports the same errors as the service for', () => {
  test.each(cases)('$title', async ({ tool, version }) => {
    const { problems, isValid } = await validatorOf(tool, version);
    const compare = (input: unknown) => {
      const before = JSON.stringify(input);
      const reported = problems(input);
      const ofService = problemsOfService(tool, version, input);
      if (ofService.some(isOfVersion)) expect(reported.some(isOfVersion)).toBe(true);
      else expect(reported).toEqual(ofService);
      expect(isValid(input)).toBe(reported.length === 0);
      expect(JSON.stringify(input)).toBe(before);
    };
    for (const input of bounded(tool, version)) compare(input);
    fc.assert(fc.property(generated(tool, version), compare), { numRuns: rounds(500, 25) });
  });

  test.each([null, 'text', 3, []])('%j, which is not an object', async (input) => {
    for (const { tool, version } of cases) {
      const { problems } = await validatorOf(tool, version);
      expect(problems(input)).toEqual(problemsOfService(tool, version, input));
    }
  });
});

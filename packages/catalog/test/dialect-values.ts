import fc from 'fast-check';
import { FORMAT_EXAMPLES } from '../src/formats.js';
import { isJsonObject, type JsonSchema } from '../src/json-schema.js';

/** Depth from which values are minimal, because a schema may contain itself. */
const DEEP = 6;

const TIMES: Readonly<Record<string, string>> = {
  'date-time': '2026-12-01T09:00:00Z',
  date: '2026-12-01',
  time: '09:00:00Z',
  uuid: '1f3a5c7e-9b2d-4f60-8a1c-3e5d7f9b1a2c',
  email: 'ada@example.com',
  uri: 'https://example.com/page',
};

/** Generates values that are valid for a schema in a model vendor's variant of JSON Schema. */
export function dialectValues(
  schema: JsonSchema,
  defs = schema.$defs ?? {},
  depth = 0,
): fc.Arbitrary<unknown> {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) return dialectValues(defs[name] ?? {}, defs, depth + 1);
  if (schema.anyOf) {
    const branches = depth > DEEP ? schema.anyOf.slice(-1) : schema.anyOf;
    return fc.oneof(...branches.map((branch) => dialectValues(branch, defs, depth + 1)));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) {
    const types = depth > DEEP ? schema.type.slice(-1) : schema.type;
    return fc.oneof(...types.map((type) => dialectValues({ ...schema, type }, defs, depth)));
  }
  return typed(schema, defs, depth);
}

function typed(
  schema: JsonSchema,
  defs: Readonly<Record<string, JsonSchema>>,
  depth: number,
): fc.Arbitrary<unknown> {
  const { minimum: min = 0, maximum: max = 1000, minItems: minLength = 0, maxItems = 3 } = schema as Bounds;
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer' || schema.type === 'number') return fc.integer({ min, max });
  if (schema.type === 'array') {
    if (depth > DEEP && minLength === 0) return fc.constant([]);
    const items = isJsonObject(schema.items) ? dialectValues(schema.items, defs, depth + 1) : fc.jsonValue();
    const maxLength = Math.max(minLength, Math.min(maxItems, 3));
    return fc.array(items, { minLength, maxLength });
  }
  if (schema.type === 'object') return objects(schema, defs, depth);
  if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
  if (schema.format !== undefined) return fc.constant(TIMES[schema.format] ?? FORMAT_EXAMPLES[schema.format]);
  return fc.string();
}

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function objects(
  { properties = {}, required = [] }: JsonSchema,
  defs: Readonly<Record<string, JsonSchema>>,
  depth: number,
) {
  if (Object.keys(properties).join() === 'as_json') return fc.constant({ as_json: '{}' });
  const chosen = Object.entries(properties).filter(([name]) => depth <= DEEP || required.includes(name));
  const members = chosen.map(([name, child]) => [name, dialectValues(child, defs, depth + 1)]);
  const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(members);
  return fc.record(model, { requiredKeys: [...required] });
}

const asJson = (value: object) => ({ as_json: JSON.stringify(value) });

/** The form that a valid input of a tool takes in a dialect. */
export function dialectForm(
  schema: JsonSchema,
  value: unknown,
  matches: (schema: JsonSchema, form: unknown) => boolean,
  defs = schema.$defs ?? {},
): unknown {
  const inner = (child: JsonSchema, member: unknown) => dialectForm(child, member, matches, defs);
  const name = schema.$ref?.replace('#/$defs/', '');
  if (name !== undefined) return inner(defs[name] ?? {}, value);
  const fits = schema.anyOf
    ?.map((branch) => [branch, inner(branch, value)] as const)
    .find(([branch, form]) => matches(branch, form));
  if (fits) return fits[1];
  const { properties = {}, required = [], items } = schema;
  const only = Object.keys(properties).join();
  if (value === null && only === 'as_null') return { as_null: null };
  if (Array.isArray(value)) return isJsonObject(items) ? value.map((item) => inner(items, item)) : value;
  if (!isJsonObject(value)) return value;
  if (only === 'as_json') return asJson(value);
  if (only === 'as_entries') return { as_entries: entriesOf(properties['as_entries'] ?? {}, value, inner) };
  const given = Object.entries(value).map(([key, member]) => [
    key,
    properties[key] ? inner(properties[key], member) : member,
  ]);
  const absent = required.filter((key) => !Object.hasOwn(value, key)).map((key) => [key, null]);
  return Object.fromEntries([...given, ...absent]);
}

function entriesOf(
  { items }: JsonSchema,
  value: object,
  inner: (schema: JsonSchema, value: unknown) => unknown,
) {
  const entry = isJsonObject(items) ? (items as JsonSchema).properties?.['value'] : undefined;
  return Object.entries(value).map(([name, member]) => ({
    name,
    value: entry ? inner(entry, member) : member,
  }));
}

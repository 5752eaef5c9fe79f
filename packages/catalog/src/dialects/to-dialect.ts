import { allSchemas } from '../child-schemas.js';
import { FORMAT_EXAMPLES } from '../formats.js';
import { conditionSentences, ruleSentences, withSentences } from '../input/input-schema.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { findCycles } from './find-cycles.js';
import { AS_JSON, entriesForm, jsonForm, nullForm } from './forms.js';
import { type Cost, type Dialect, LIMITS, type Limits } from './limits.js';
import { formatAsPattern } from './standard-formats.js';

/** Input schema of a tool in the dialect of a model vendor: the vendor's variant of JSON Schema. */
export interface DialectInput {
  readonly inputSchema: JsonSchema;
  /** JSON Schema keywords that the model vendor's dialect cannot express. Only the descriptions state their rules. */
  readonly unsaid: readonly string[];
  readonly cost: Cost;
}

interface Context {
  readonly limits: Limits;
  readonly isCycle: (from: string | undefined, to: string) => boolean;
  readonly unsaid: Set<string>;
}

/**
 * JSON Schema keywords that reject no value by themselves. A vendor's schema dialect may lack them and still rejects
 * the same values.
 */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'writeOnly', 'then', 'else']);
const DEFINITIONS = '#/$defs/';

/**
 * Converts a tool's input schema to a model vendor's dialect of JSON Schema. The schema must not refer to other files.
 * `restoreArguments` converts the model's arguments back.
 */
export function toDialect(schema: JsonSchema, dialect: Dialect): DialectInput {
  const { $defs = {}, ...top } = schema;
  const unsaid = new Set<string>();
  const context: Context = { limits: LIMITS[dialect], isCycle: findCycles($defs), unsaid };
  const root = convertObject(top, context, undefined);
  const used = new Map<string, JsonSchema>();
  const use = (converted: JsonSchema): void => {
    for (const name of referencesIn(converted)) {
      const definition = $defs[name];
      if (definition === undefined || used.has(name)) continue;
      used.set(name, {});
      used.set(name, convert(definition, context, name));
      use(used.get(name) ?? {});
    }
  };
  use(root);
  const definitions = Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
  const inputSchema = used.size === 0 ? root : { ...root, $defs: definitions };
  return { inputSchema, unsaid: [...unsaid].sort(), cost: costOf(inputSchema) };
}

function convert(schema: JsonSchema, context: Context, within: string | undefined): JsonSchema {
  if (schema.$ref !== undefined) return convertReference(schema, schema.$ref, { context, within });
  const { additionalProperties: more } = schema;
  const isOpen = schema.type === 'object' && more !== false;
  if (!isOpen || !context.limits.closedObjects) return convertObject(schema, context, within);
  if (!isJsonObject(more) || schema.properties !== undefined)
    return asJson(context, schema, ruleSentences(schema));
  const { description } = convertObject({ ...schema, additionalProperties: false }, context, within);
  return withSentences(entriesForm(convert(more, context, within)), [description ?? []].flat());
}

function asJson({ unsaid }: Context, { description }: JsonSchema, more: readonly string[]): JsonSchema {
  unsaid.add(AS_JSON);
  return withSentences(jsonForm(), [description ?? [], more].flat());
}

function convertReference(
  schema: JsonSchema,
  $ref: string,
  { context, within }: { readonly context: Context; readonly within: string | undefined },
): JsonSchema {
  const isCycle = context.isCycle(within, $ref.replace(DEFINITIONS, ''));
  if (isCycle && !context.limits.recursion)
    return asJson(context, schema, [
      `The JSON must match the schema "${$ref.replace(DEFINITIONS, '')}" in $defs.`,
    ]);
  // Wraps a `$ref` that has a description in `anyOf`, because vendors accept no other keyword next to `$ref`.
  return schema.description === undefined ? { $ref } : { description: schema.description, anyOf: [{ $ref }] };
}

function convertObject(given: JsonSchema, context: Context, within: string | undefined): JsonSchema {
  const { limits, unsaid } = context;
  const schema = plainKeywords(limits.keywords.includes('pattern') ? formatAsPattern(given) : given);
  const said = Object.entries(schema).filter(([keyword, value]) => canSay(limits, keyword, value));
  const rest = Object.entries(schema).filter(([keyword, value]) => !canSay(limits, keyword, value));
  for (const [keyword] of rest) if (!ANNOTATIONS.has(keyword)) unsaid.add(keyword);
  const sentences = rest.flatMap(([keyword, value]) => sentenceOf(keyword, value) ?? []);
  const change = (child: JsonSchema) => convert(child, context, within);
  const converted = convertChildren(Object.fromEntries(said), change, limits);
  return withSentences(converted, [...ruleSentences(schema), ...conditionSentences(schema), ...sentences]);
}

const canSay = (limits: Limits, keyword: string, value: unknown): boolean =>
  limits.keywords.includes(keyword) &&
  (keyword !== 'format' || limits.formats.includes(String(value))) &&
  (keyword !== 'minItems' || Number(value) <= limits.minItems);

function convertChildren(
  schema: JsonSchema,
  change: (child: JsonSchema) => JsonSchema,
  { allRequired }: Limits,
): JsonSchema {
  const { properties, items, anyOf, additionalProperties: more } = schema;
  const required = new Set(schema.required);
  const member = ([name, child]: readonly [string, JsonSchema]) => {
    const changed = change(child);
    return [name, allRequired && !required.has(name) ? orNull(changed) : changed] as const;
  };
  const isNull = ({ type }: JsonSchema) => type === 'null';
  const branch = (child: JsonSchema) => (allRequired && isNull(child) ? nullForm() : change(child));
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(member)) }),
    ...(properties && allRequired && { required: Object.keys(properties) }),
    ...(isJsonObject(items) && { items: change(items) }),
    ...(isJsonObject(more) && { additionalProperties: change(more) }),
    ...(anyOf && { anyOf: anyOf.map(branch) }),
  };
}

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member.replace(DEFINITIONS, '')] : referencesIn(member),
  );
}

/**
 * Rewrites a schema with fewer keywords: lists of types become `anyOf`, constants become `enum`, and multiples of 1
 * become integers.
 */
function plainKeywords(schema: JsonSchema): JsonSchema {
  const { oneOf, const: constant, ...rest } = schema;
  if (oneOf !== undefined) return plainKeywords({ ...rest, anyOf: oneOf });
  if (constant !== undefined) return plainKeywords({ ...rest, enum: [constant] });
  if (Array.isArray(rest.type)) return typesAsUnion(rest, rest.type);
  if (rest.type === 'number' && rest['multipleOf'] === 1) {
    const { multipleOf: _, ...integer } = rest;
    return { ...integer, type: 'integer' };
  }
  const [first] = rest.enum ?? [];
  const isUntyped = rest.enum !== undefined && rest.type === undefined;
  return isUntyped ? { type: first === null ? 'null' : typeof first, ...rest } : rest;
}

function typesAsUnion({ description, ...schema }: JsonSchema, types: readonly string[]): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    anyOf: types.map((type) => (type === 'null' ? { type } : { ...schema, type })),
  };
}

/** Returns a schema that also accepts null. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, description } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string' || type === 'object') {
    const { description: _, ...plain } = schema;
    return { ...(description !== undefined && { description }), anyOf: [plain, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

const SENTENCES: Readonly<Record<string, (value: unknown) => string>> = {
  format: (value) => `It must be ${FORMAT_EXAMPLES[String(value)] ?? value}.`,
  default: (value) => `Default: ${JSON.stringify(value)}.`,
  minLength: (value) => (value === 1 ? 'Not empty.' : `At least ${value} characters.`),
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `It must match ${value}.`,
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => 'Items must be unique.',
  minProperties: (value) => (value === 1 ? 'Give at least one field.' : `Give at least ${value} fields.`),
  maxProperties: (value) => (value === 1 ? 'Give at most one field.' : `Give at most ${value} fields.`),
};

/**
 * Returns a sentence for a JSON Schema keyword that the model vendor's dialect lacks. Undefined for keywords that other
 * descriptions explain.
 */
const sentenceOf = (keyword: string, value: unknown): string | undefined => SENTENCES[keyword]?.(value);

/**
 * Calculates how much a tool with this input schema, in strict mode, uses of a model vendor's limits for one request to
 * the model.
 */
function costOf(schema: JsonSchema): Cost {
  const schemas = allSchemas(schema);
  const optional = schemas.map(
    ({ properties = {}, required = [] }) => Object.keys(properties).length - required.length,
  );
  const isUnion = ({ anyOf, type }: JsonSchema) => anyOf !== undefined || Array.isArray(type);
  return {
    tools: 1,
    optional: optional.reduce((sum, count) => sum + count, 0),
    unions: schemas.filter(isUnion).length,
  };
}

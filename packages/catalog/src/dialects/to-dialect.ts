import { ruleSentences } from '../input-schema.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { costOf } from './cost.js';
import { findCycles } from './find-cycles.js';
import { AS_JSON, entriesForm, jsonForm, nullForm } from './forms.js';
import { type Cost, type Dialect, LIMITS, type Limits } from './limits.js';
import { orNull } from './or-null.js';
import { plainKeywords } from './plain-keywords.js';
import { described, formatAsPattern } from './standard-formats.js';
import { tell } from './tell.js';

/** The input of a tool in a dialect. */
export interface DialectInput {
  readonly inputSchema: JsonSchema;
  /** Rules that the dialect cannot hold a model to: keywords that only the descriptions tell. */
  readonly unsaid: readonly string[];
  readonly cost: Cost;
}

interface Context {
  readonly limits: Limits;
  readonly isCycle: (from: string | undefined, to: string) => boolean;
  readonly unsaid: Set<string>;
}

/** Explains a schema, and holds nobody to anything. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'writeOnly', 'then', 'else']);
const DEFINITIONS = '#/$defs/';

/** A self-contained input schema of the catalogue in a dialect. `restoreArguments` is the way back. */
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
    return asJson(context, [...described(schema), ...ruleSentences(schema)]);
  const { description } = convertObject({ ...schema, additionalProperties: false }, context, within);
  return withDescription(entriesForm(convert(more, context, within)), description);
}

function asJson({ unsaid }: Context, description: readonly string[]): JsonSchema {
  unsaid.add(AS_JSON);
  return jsonForm(description);
}

function convertReference(
  schema: JsonSchema,
  $ref: string,
  { context, within }: { readonly context: Context; readonly within: string | undefined },
): JsonSchema {
  const isCycle = context.isCycle(within, $ref.replace(DEFINITIONS, ''));
  if (isCycle && !context.limits.recursion)
    return asJson(context, [...described(schema), `In the form of ${$ref.replace(DEFINITIONS, '')}.`]);
  // Vendors take nothing beside a reference.
  return schema.description === undefined ? { $ref } : { description: schema.description, anyOf: [{ $ref }] };
}

function convertObject(given: JsonSchema, context: Context, within: string | undefined): JsonSchema {
  const { limits, unsaid } = context;
  const schema = plainKeywords(limits.keywords.includes('pattern') ? formatAsPattern(given) : given);
  const said = Object.entries(schema).filter(([keyword, value]) => canSay(limits, keyword, value));
  const rest = Object.entries(schema).filter(([keyword, value]) => !canSay(limits, keyword, value));
  for (const [keyword] of rest) if (!ANNOTATIONS.has(keyword)) unsaid.add(keyword);
  const sentences = rest.flatMap(([keyword, value]) => tell(keyword, value) ?? []);
  const description = [...described(schema), ...ruleSentences(schema), ...sentences].join(' ');
  const change = (child: JsonSchema) => convert(child, context, within);
  return withDescription(
    convertChildren(Object.fromEntries(said), change, limits),
    description === '' ? undefined : description,
  );
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

const withDescription = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined ? schema : { ...schema, description };

function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member.replace(DEFINITIONS, '')] : referencesIn(member),
  );
}

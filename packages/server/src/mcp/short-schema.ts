import { childSchemas, isJsonObject, type JsonSchema, mapChildSchemas } from '@svc/catalog';

/** Maximum JSON characters of one tool's input schema in `tools/list`. Longer schemas are shortened. */
const MAX_CHARACTERS = 4000;
const DEFINITION = '#/$defs/';
/**
 * Nesting levels of an output schema in `tools/list`: properties, items of an array property, and properties of those
 * items.
 */
const OUTPUT_DEPTH = 3;
const MAX_OUTPUT_DEPTH = 12;

function definitionOf(root: JsonSchema, { $ref = '' }: JsonSchema): JsonSchema {
  return (isJsonObject(root.$defs) ? root.$defs[$ref.slice(DEFINITION.length)] : undefined) ?? {};
}

const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join(' ') || undefined;

/**
 * Replaces a `$ref` by the type and description of the referenced definition, without its properties. The schema
 * becomes short.
 */
function summarize(root: JsonSchema, { $ref, ...own }: JsonSchema): JsonSchema {
  const { type, description } = definitionOf(root, { $ref: $ref ?? '' });
  const text = joined(own.description, description);
  return { ...(type !== undefined && { type }), ...own, ...(text !== undefined && { description: text }) };
}

const shorten = (root: JsonSchema, schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined
    ? mapChildSchemas(schema, (child) => shorten(root, child))
    : summarize(root, schema);

/**
 * Returns a tool's input schema for `tools/list`. In a long schema, or one with `$defs`, every `$ref` is replaced by a
 * description. The short schema accepts every input that the whole schema accepts. The service validates inputs by the
 * whole schema.
 */
export function shortInput(schema: JsonSchema): { readonly schema: JsonSchema; readonly isWhole: boolean } {
  if (schema.$defs === undefined && JSON.stringify(schema).length <= MAX_CHARACTERS)
    return { schema, isWhole: true };
  const { $defs: _, ...rest } = schema;
  return { schema: shorten(schema, rest), isWhole: false };
}

const referencesIn = (schema: JsonSchema): readonly string[] => [
  ...(schema.$ref?.startsWith(DEFINITION) ? [schema.$ref.slice(DEFINITION.length)] : []),
  ...childSchemas(schema).flatMap(({ keyword, schema: child }) =>
    keyword === '$defs' ? [] : referencesIn(child),
  ),
];

/**
 * Replaces every `$ref` to an omitted definition by a summary. The summary says how to get the definition from
 * `describe_tool`.
 */
function leaveOut(root: JsonSchema, schema: JsonSchema, included: ReadonlySet<string>): JsonSchema {
  const name = schema.$ref?.slice(DEFINITION.length);
  if (name === undefined || included.has(name))
    return mapChildSchemas(schema, (child) => leaveOut(root, child, included));
  const summary = summarize(root, schema);
  const advice = `describe_tool with definition "${name}" returns its schema.`;
  return { ...summary, description: [summary.description ?? [], advice].flat().join(' ') };
}

/** Returns the schema with only the named `$defs`. Other references become summaries. */
function withDefinitions(schema: JsonSchema, included: ReadonlySet<string>): JsonSchema {
  const { $defs = {}, ...top } = schema;
  const definitions = [...included].map(
    (name) => [name, leaveOut(schema, $defs[name] ?? {}, included)] as const,
  );
  const root = leaveOut(schema, top, included);
  return included.size === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
}

/**
 * Returns the schema with as many `$defs` as fit into `mostCharacters` of escaped JSON. Definitions near the root of
 * the schema come first.
 */
export function boundedSchema(schema: JsonSchema, mostCharacters: number): JsonSchema {
  const { $defs = {}, ...top } = schema;
  let included = new Set<string>();
  let bounded = withDefinitions(schema, included);
  const queue = [...new Set(referencesIn(top))];
  for (const name of queue) {
    const more = new Set([...included, name]);
    const larger = withDefinitions(schema, more);
    if (escapedLength(larger) > mostCharacters) continue;
    [included, bounded] = [more, larger];
    for (const next of referencesIn($defs[name] ?? {})) if (!queue.includes(next)) queue.push(next);
  }
  return bounded;
}

/**
 * Returns the characters of a value as JSON inside an MCP text block. The response escapes this JSON once more, which
 * adds backslashes.
 */
export const escapedLength = (value: unknown): number => JSON.stringify(JSON.stringify(value)).length;

/** Returns the output schema with as many nesting levels as fit into `mostCharacters` of escaped JSON. */
export function boundedOutput(schema: JsonSchema, mostCharacters: number): JsonSchema {
  for (let depth = MAX_OUTPUT_DEPTH; depth > 0; depth -= 1) {
    const shape = shapeOf(schema, schema, depth);
    if (escapedLength(shape) <= mostCharacters) return shape;
  }
  return shapeOf(schema, schema, 0);
}

function shapeOf(root: JsonSchema, schema: JsonSchema, depth: number): JsonSchema {
  const { type, properties, items, required } =
    schema.$ref === undefined ? schema : definitionOf(root, schema);
  const goesDeeper = depth > 0;
  return {
    ...(type !== undefined && { type }),
    ...(goesDeeper && properties && { properties: shapesOf(root, properties, depth - 1) }),
    ...(goesDeeper && isJsonObject(items) && { items: shapeOf(root, items, depth - 1) }),
    ...(goesDeeper && required && { required }),
  };
}

const shapesOf = (root: JsonSchema, properties: Readonly<Record<string, JsonSchema>>, depth: number) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, shapeOf(root, schema, depth)]),
  );

/**
 * Returns a tool's output schema for `tools/list`: property names and types, `OUTPUT_DEPTH` levels deep. It accepts
 * every output that the whole schema accepts.
 */
export const shortOutput = (schema: JsonSchema): JsonSchema => shapeOf(schema, schema, OUTPUT_DEPTH);

/** Resolves a `$ref` at the root of a schema, so that the caller can read the root's `type`. */
export const topOf = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : { ...definitionOf(schema, schema), ...schema };

import { childSchemas, isJsonObject, type JsonSchema, mapChildSchemas } from '@svc/catalog';

/** Characters of the JSON of one input in a list. */
const MOST_CHARACTERS = 4000;
const DEFINITION = '#/$defs/';
/** Depth of an output schema in a list: its fields, the items of a list, and their fields. */
const OUTPUT_DEPTH = 3;
const DEEPEST_OUTPUT = 12;

function definitionOf(root: JsonSchema, { $ref = '' }: JsonSchema): JsonSchema {
  return (isJsonObject(root.$defs) ? root.$defs[$ref.slice(DEFINITION.length)] : undefined) ?? {};
}

const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join(' ') || undefined;

/** Describes a shared definition in words, without its properties. */
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
 * Input schema for a list. A long schema, or one with shared definitions, describes those in words. It accepts every input that the whole
 * schema accepts, and the service validates by the whole schema.
 */
export function shortInput(schema: JsonSchema): { readonly schema: JsonSchema; readonly isWhole: boolean } {
  if (schema.$defs === undefined && JSON.stringify(schema).length <= MOST_CHARACTERS)
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

/** Summarizes references to definitions that are left out, and says how to get them. */
function leaveOut(root: JsonSchema, schema: JsonSchema, kept: ReadonlySet<string>): JsonSchema {
  const name = schema.$ref?.slice(DEFINITION.length);
  if (name === undefined || kept.has(name))
    return mapChildSchemas(schema, (child) => leaveOut(root, child, kept));
  const summary = summarize(root, schema);
  const advice = `describe_tool with definition "${name}" gives its schema.`;
  return { ...summary, description: [summary.description ?? [], advice].flat().join(' ') };
}

/** A schema with these shared definitions alone. */
function withDefinitions(schema: JsonSchema, kept: ReadonlySet<string>): JsonSchema {
  const { $defs = {}, ...top } = schema;
  const definitions = [...kept].map((name) => [name, leaveOut(schema, $defs[name] ?? {}, kept)] as const);
  const root = leaveOut(schema, top, kept);
  return kept.size === 0 ? root : { ...root, $defs: Object.fromEntries(definitions) };
}

/** Returns the schema with as many shared definitions as fit into this many characters of escaped JSON. Definitions close to the top come first. */
export function boundedSchema(schema: JsonSchema, mostCharacters: number): JsonSchema {
  const { $defs = {}, ...top } = schema;
  let kept = new Set<string>();
  let bounded = withDefinitions(schema, kept);
  const queue = [...new Set(referencesIn(top))];
  for (const name of queue) {
    const more = new Set([...kept, name]);
    const larger = withDefinitions(schema, more);
    if (escapedLength(larger) > mostCharacters) continue;
    [kept, bounded] = [more, larger];
    for (const next of referencesIn($defs[name] ?? {})) if (!queue.includes(next)) queue.push(next);
  }
  return bounded;
}

/** Characters of a value in a text block, whose JSON is escaped once more. */
export const escapedLength = (value: unknown): number => JSON.stringify(JSON.stringify(value)).length;

/** Output schema that fits into so many characters of escaped JSON, as deep as possible. */
export function boundedOutput(schema: JsonSchema, mostCharacters: number): JsonSchema {
  for (let depth = DEEPEST_OUTPUT; depth > 0; depth -= 1) {
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

/** Output schema for a list: names and types, down to a fixed depth. It accepts every output that the whole schema accepts. */
export const shortOutput = (schema: JsonSchema): JsonSchema => shapeOf(schema, schema, OUTPUT_DEPTH);

/** Resolves a reference at the top of a schema. */
export const topOf = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : { ...definitionOf(schema, schema), ...schema };

import { isJsonObject, type JsonSchema, mapChildSchemas } from '@svc/catalog';

/** What a list says of one tool's input, in characters of JSON. */
const MOST_CHARACTERS = 4000;
const DEFINITION = '#/$defs/';
/** How deep a list describes what a tool gives: its fields, the items of a list, and their fields. */
const OUTPUT_DEPTH = 3;

function definitionOf(root: JsonSchema, { $ref = '' }: JsonSchema): JsonSchema {
  return (isJsonObject(root.$defs) ? root.$defs[$ref.slice(DEFINITION.length)] : undefined) ?? {};
}

const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.filter((text) => text !== undefined).join(' ') || undefined;

/** What a shared shape is, without what it holds. */
function named(root: JsonSchema, { $ref, ...own }: JsonSchema): JsonSchema {
  const { type, description } = definitionOf(root, { $ref: $ref ?? '' });
  const said = joined(own.description, description);
  return { ...(type !== undefined && { type }), ...own, ...(said !== undefined && { description: said }) };
}

const cut = (root: JsonSchema, schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? mapChildSchemas(schema, (child) => cut(root, child)) : named(root, schema);

/**
 * An input as a list shows it: a long one names its shared shapes in words and leaves out what they hold. It takes every
 * input that the whole one takes; the service checks by the whole one in any case.
 */
export function shortInput(schema: JsonSchema): { readonly schema: JsonSchema; readonly isWhole: boolean } {
  if (JSON.stringify(schema).length <= MOST_CHARACTERS) return { schema, isWhole: true };
  const { $defs: _, ...rest } = schema;
  return { schema: cut(schema, rest), isWhole: false };
}

function openAt(root: JsonSchema, schema: JsonSchema, depth: number): JsonSchema {
  const { type, properties, items, required } =
    schema.$ref === undefined ? schema : definitionOf(root, schema);
  const isInside = depth > 0;
  return {
    ...(type !== undefined && { type }),
    ...(isInside && properties && { properties: openEach(root, properties, depth - 1) }),
    ...(isInside && isJsonObject(items) && { items: openAt(root, items, depth - 1) }),
    ...(isInside && required && { required }),
  };
}

const openEach = (root: JsonSchema, properties: Readonly<Record<string, JsonSchema>>, depth: number) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, openAt(root, schema, depth)]));

/** An output as a list shows it: names and types as far down as they are looked at. It takes whatever the whole one takes. */
export const shortOutput = (schema: JsonSchema): JsonSchema => openAt(schema, schema, OUTPUT_DEPTH);

/** What a schema says at its top, wherever it stands. */
export const topOf = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : { ...definitionOf(schema, schema), ...schema };

import { isJsonObject, type JsonObject, type JsonSchema } from './json-schema.js';

/** Nesting of subschemas in a JSON Schema keyword: an object of schemas by name, a list of schemas, or one schema. */
type Nesting = 'byName' | 'listed' | 'single';

/** JSON Schema keywords whose value contains subschemas, each with its nesting. */
export const NESTINGS: ReadonlyMap<string, Nesting> = new Map([
  ...['properties', 'patternProperties', '$defs', 'dependentSchemas'].map(
    (keyword) => [keyword, 'byName'] as const,
  ),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => [keyword, 'listed'] as const),
  ...['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'].map(
    (keyword) => [keyword, 'single'] as const,
  ),
]);

/** Subschema of a JSON Schema, with the keyword that contains it and its path in the parent schema. */
export interface ChildSchema {
  readonly keyword: string;
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** Returns the direct subschemas of a JSON Schema, without deeper ones. */
export function childSchemas(schema: JsonSchema): readonly ChildSchema[] {
  const children: ChildSchema[] = [];
  const add = (keyword: string, value: unknown, ...key: readonly (string | number)[]) => {
    if (isJsonObject(value)) children.push({ keyword, path: [keyword, ...key], schema: value });
  };
  for (const keyword of Object.keys(schema)) {
    const nesting = NESTINGS.get(keyword);
    const value = schema[keyword];
    if (nesting === 'single') add(keyword, value);
    if (nesting === 'byName' && isJsonObject(value))
      for (const name of Object.keys(value)) add(keyword, value[name], name);
    if (nesting === 'listed' && Array.isArray(value))
      for (const [index, item] of value.entries()) add(keyword, item, index);
  }
  return children;
}

/** Returns a JSON Schema and its subschemas at every depth. */
export function allSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...childSchemas(schema).flatMap(({ schema: child }) => allSchemas(child))];
}

/** Returns a copy of a JSON Schema in which `change` replaces each direct subschema. */
export function mapChildSchemas(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown) => (isJsonObject(value) ? change(value) : value);
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of Object.keys(schema)) {
    const nesting = NESTINGS.get(keyword);
    const value = schema[keyword];
    if (nesting === 'single') copy[keyword] = changed(value);
    if (nesting === 'listed' && Array.isArray(value)) copy[keyword] = value.map(changed);
    if (nesting === 'byName' && isJsonObject(value)) copy[keyword] = mapMembers(value, changed);
  }
  return copy;
}

function mapMembers(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  // `Object.fromEntries` defines each key, so a property named `__proto__` does not change the prototype.
  return Object.fromEntries(Object.keys(object).map((name) => [name, change(object[name])]));
}

import { isJsonObject, type JsonObject, type JsonSchema } from './json-schema.js';

/** Positions of schemas inside a schema: by name, in a list, or single. */
type Place = 'named' | 'listed' | 'single';

/** The keywords behind which schemas stand. */
export const PLACES: ReadonlyMap<string, Place> = new Map([
  ...['properties', 'patternProperties', '$defs', 'dependentSchemas'].map(
    (keyword) => [keyword, 'named'] as const,
  ),
  ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => [keyword, 'listed'] as const),
  ...['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'].map(
    (keyword) => [keyword, 'single'] as const,
  ),
]);

/** A schema inside another, and where it stands there. */
export interface ChildSchema {
  readonly keyword: string;
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** The schemas that stand directly inside a schema. */
export function childSchemas(schema: JsonSchema): readonly ChildSchema[] {
  const found: ChildSchema[] = [];
  const add = (keyword: string, value: unknown, ...key: readonly (string | number)[]) => {
    if (isJsonObject(value)) found.push({ keyword, path: [keyword, ...key], schema: value });
  };
  for (const keyword of Object.keys(schema)) {
    const place = PLACES.get(keyword);
    const value = schema[keyword];
    if (place === 'single') add(keyword, value);
    if (place === 'named' && isJsonObject(value))
      for (const name of Object.keys(value)) add(keyword, value[name], name);
    if (place === 'listed' && Array.isArray(value))
      for (const [index, item] of value.entries()) add(keyword, item, index);
  }
  return found;
}

/** A schema and every schema in it. */
export function allSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...childSchemas(schema).flatMap(({ schema: child }) => allSchemas(child))];
}

/** A copy of a schema with every schema that stands directly inside it replaced. */
export function mapChildSchemas(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown) => (isJsonObject(value) ? change(value) : value);
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of Object.keys(schema)) {
    const place = PLACES.get(keyword);
    const value = schema[keyword];
    if (place === 'single') copy[keyword] = changed(value);
    if (place === 'listed' && Array.isArray(value)) copy[keyword] = value.map(changed);
    if (place === 'named' && isJsonObject(value)) copy[keyword] = mapMembers(value, changed);
  }
  return copy;
}

function mapMembers(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  // fromEntries defines its keys, so that "__proto__" stays a plain key.
  return Object.fromEntries(Object.keys(object).map((name) => [name, change(object[name])]));
}

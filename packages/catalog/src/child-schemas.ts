import { isJsonObject, type JsonSchema } from './json-schema.js';

const NAMED = ['properties', 'patternProperties', '$defs', 'dependentSchemas'];
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];

/** A schema inside another, and where it stands there. */
export interface ChildSchema {
  readonly keyword: string;
  readonly path: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** The schemas that stand directly inside a schema. */
export function childSchemas(schema: JsonSchema): readonly ChildSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]): ChildSchema[] => {
    if (SINGLE.includes(keyword))
      return isJsonObject(value) ? [{ keyword, path: [keyword], schema: value }] : [];
    if (NAMED.includes(keyword) && isJsonObject(value)) return members(keyword, Object.entries(value));
    if (LISTED.includes(keyword) && Array.isArray(value)) return members(keyword, [...value.entries()]);
    return [];
  });
}

function members(keyword: string, entries: readonly (readonly [string | number, unknown])[]): ChildSchema[] {
  return entries.flatMap(([key, schema]) =>
    isJsonObject(schema) ? [{ keyword, path: [keyword, key], schema }] : [],
  );
}

/** A copy of a schema with every schema that stands directly inside it replaced. */
export function mapChildSchemas(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const changed = (value: unknown) => (isJsonObject(value) ? change(value) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (SINGLE.includes(keyword)) return [keyword, changed(value)];
      if (LISTED.includes(keyword) && Array.isArray(value)) return [keyword, value.map(changed)];
      if (!NAMED.includes(keyword) || !isJsonObject(value)) return [keyword, value];
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, child]) => [name, changed(child)])),
      ];
    }),
  );
}

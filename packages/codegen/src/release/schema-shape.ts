import { isJsonObject, type JsonSchema, mapChildSchemas } from '@svc/catalog';

/** Keywords that tell a reader something and refuse nothing. */
const WORDS = new Set(['title', 'description', '$comment', 'examples', 'deprecated', '$schema', '$id']);

/** A schema without the words for its readers: what a release promises. */
export function schemaShape(schema: JsonSchema): JsonSchema;
export function schemaShape(schema: JsonSchema | boolean): JsonSchema | boolean;
export function schemaShape(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (!isJsonObject(schema)) return schema;
  const told = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return mapChildSchemas(Object.fromEntries(told), (child) => schemaShape(child));
}

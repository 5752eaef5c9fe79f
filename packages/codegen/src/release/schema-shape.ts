import { isJsonObject, type JsonSchema, mapChildSchemas } from '@svc/catalog';
import type { Definitions } from './effect.js';
import { canonicalText } from './json-hash.js';

/** JSON Schema keywords that only document a schema and do not affect validation. */
const WORDS = new Set(['title', 'description', '$comment', 'examples', 'deprecated', '$schema', '$id']);

/** Removes documentation keywords from a schema. The rest is what a release promises to callers. */
export function schemaShape(schema: JsonSchema): JsonSchema;
export function schemaShape(schema: JsonSchema | boolean): JsonSchema | boolean;
export function schemaShape(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (!isJsonObject(schema)) return schema;
  const rules = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return mapChildSchemas(Object.fromEntries(rules), (child) => schemaShape(child));
}

/** Removes the definitions of a schema. */
export function withoutDefinitions<Schema extends JsonSchema | boolean>(schema: Schema): Schema;
export function withoutDefinitions(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (!isJsonObject(schema)) return schema;
  const { $defs: _, ...rest } = schema;
  return rest;
}

/** Returns the names of the shared schemas to which a JSON value refers, directly or through other shared schemas. */
export function shapesBelow(value: unknown, definitions: Definitions): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (part: unknown): void => {
    if (Array.isArray(part)) for (const item of part) look(item);
    if (!isJsonObject(part)) return;
    const { $ref } = part;
    const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
    if (name !== undefined && definitions[name] !== undefined && !names.has(name)) {
      names.add(name);
      look(definitions[name]);
    }
    for (const member of Object.values(part)) look(member);
  };
  look(value);
  return names;
}

/**
 * Serializes a schema keyword's value with all shared schemas to which it refers. Two values are equal if their texts
 * are equal.
 */
export function wholeText(value: unknown, definitions: Definitions): string {
  const names = [...shapesBelow(value, definitions)].sort();
  return canonicalText([value, names.map((name) => [name, definitions[name]])]);
}

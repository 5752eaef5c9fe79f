import type { JsonSchema } from '../json-schema.js';

/** The shape that a reference of a self-contained schema leads to, with what is said beside the reference. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const target = root.$defs?.[$ref.replace('#/$defs/', '')];
  if (target === undefined) return beside;
  return resolved(Object.keys(beside).length === 0 ? target : { ...target, ...beside }, root);
}

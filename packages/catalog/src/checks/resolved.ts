import type { JsonSchema } from '../json-schema.js';

/** The shape that a reference of a self-contained schema leads to, with what is said beside the reference. */
export function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, ...beside } = schema;
  if ($ref === undefined) return schema;
  const target = root.$defs?.[$ref.replace('#/$defs/', '')];
  return target === undefined ? beside : resolved({ ...target, ...beside }, root);
}

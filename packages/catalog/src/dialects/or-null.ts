import type { JsonSchema } from '../json-schema.js';

/** A schema that takes null too. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf, description } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string' || type === 'object') {
    const { description: _, ...plain } = schema;
    return { ...(description !== undefined && { description }), anyOf: [plain, { type: 'null' }] };
  }
  return { ...schema, type: [type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

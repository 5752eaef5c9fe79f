import type { JsonSchema } from '../json-schema.js';

/** The same schema in the fewest kinds of keywords: lists of types as a union, a constant as an enum, whole numbers as integers. */
export function plainKeywords(schema: JsonSchema): JsonSchema {
  const { oneOf, const: constant, ...rest } = schema;
  if (oneOf !== undefined) return plainKeywords({ ...rest, anyOf: oneOf });
  if (constant !== undefined) return plainKeywords({ ...rest, enum: [constant] });
  if (Array.isArray(rest.type)) return typesAsUnion(rest, rest.type);
  if (rest.type === 'number' && rest['multipleOf'] === 1) {
    const { multipleOf: _, ...integer } = rest;
    return { ...integer, type: 'integer' };
  }
  const [first] = rest.enum ?? [];
  const isUntyped = rest.enum !== undefined && rest.type === undefined;
  return isUntyped ? { type: first === null ? 'null' : typeof first, ...rest } : rest;
}

function typesAsUnion({ description, ...schema }: JsonSchema, types: readonly string[]): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    anyOf: types.map((type) => (type === 'null' ? { type } : { ...schema, type })),
  };
}

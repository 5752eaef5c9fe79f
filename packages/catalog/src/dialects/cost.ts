import { childSchemas } from '../child-schemas.js';
import type { JsonSchema } from '../json-schema.js';
import type { Cost } from './limits.js';

/** What a tool with this input takes of a request's budget of strict tools. */
export function costOf(schema: JsonSchema): Cost {
  const schemas = allSchemas(schema);
  const optional = schemas.map(
    ({ properties = {}, required = [] }) => Object.keys(properties).length - required.length,
  );
  const isUnion = ({ anyOf, type }: JsonSchema) => anyOf !== undefined || Array.isArray(type);
  return {
    tools: 1,
    optional: optional.reduce((sum, count) => sum + count, 0),
    unions: schemas.filter(isUnion).length,
  };
}

/** A schema and every schema in it. */
export function allSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...childSchemas(schema).flatMap(({ schema: child }) => allSchemas(child))];
}

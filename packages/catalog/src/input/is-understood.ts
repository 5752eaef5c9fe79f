import { childSchemas } from '../child-schemas.js';
import { FORMAT_EXAMPLES } from '../formats.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { RULES } from './part-checks.js';
import { matches, TYPES } from './value-checks.js';

type ValueTest = (value: unknown) => boolean;

const isAny: ValueTest = () => true;
const isText: ValueTest = (value) => typeof value === 'string';
const isFlag: ValueTest = (value) => typeof value === 'boolean';
const isNumber: ValueTest = (value) => Number.isFinite(value);
const isCount: ValueTest = (value) => Number.isInteger(value) && Number(value) >= 0;
const isFilledList: ValueTest = (value) => Array.isArray(value) && value.length > 0;
const isMap: ValueTest = isJsonObject;
const isSchema: ValueTest = (value) => isJsonObject(value) || typeof value === 'boolean';
const isSchemaList: ValueTest = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
const isSchemaMap: ValueTest = (value) => isJsonObject(value) && Object.values(value).every(isJsonObject);
const areNames: ValueTest = (value) =>
  Array.isArray(value) &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length;

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    matches(value, '');
    return true;
  } catch {
    // Returns false for an invalid regular expression, so that ajv handles the schema and reports the error.
    return false;
  }
}

/**
 * JSON Schema keywords that the validator `interpret` checks without ajv, each with a test of the keyword values that
 * it supports.
 */
export const KEYWORDS: Readonly<Record<string, ValueTest>> = {
  $defs: isSchemaMap,
  $ref: (value) => typeof value === 'string' && value.startsWith('#/$defs/'),
  title: isText,
  description: isText,
  default: isAny,
  examples: (value) => Array.isArray(value),
  writeOnly: isFlag,
  type: (value) => {
    const types = [value].flat();
    return (
      types.length > 0 &&
      new Set(types).size === types.length &&
      types.every((type) => typeof type === 'string' && Object.hasOwn(TYPES, type))
    );
  },
  const: isAny,
  enum: isFilledList,
  not: isMap,
  anyOf: isSchemaList,
  oneOf: isSchemaList,
  allOf: isSchemaList,
  maximum: isNumber,
  minimum: isNumber,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  multipleOf: (value) => Number.isFinite(value) && Number(value) > 0,
  maxLength: isCount,
  minLength: isCount,
  pattern: isPattern,
  format: (value) => typeof value === 'string' && Object.hasOwn(FORMAT_EXAMPLES, value),
  maxItems: isCount,
  minItems: isCount,
  items: isMap,
  uniqueItems: isFlag,
  maxProperties: isCount,
  minProperties: isCount,
  required: areNames,
  additionalProperties: isSchema,
  properties: isSchemaMap,
  dependentSchemas: isSchemaMap,
  ...Object.fromEntries(Object.keys(RULES).map((keyword) => [keyword, isAny])),
};

/** Keywords of a JSON Schema condition. `if` has an effect only together with `then` or `else`. */
const CONDITION = ['if', 'then', 'else'];

/**
 * Keywords whose subschemas may have defaults, because the validator `interpret` fills in defaults only below them. Ajv
 * validates with schemas that have defaults elsewhere.
 */
const DEFAULTED = ['properties', 'items', '$defs'];

const known = new WeakMap<JsonSchema, boolean>();

/**
 * Checks whether the validator `interpret` supports a JSON Schema, so that it gives the results of ajv without
 * compiling the schema. Returns false for a schema with an unsupported keyword, which may still be valid.
 */
export function isUnderstood(schema: JsonSchema): boolean {
  const result = known.get(schema) ?? look(schema);
  known.set(schema, result);
  return result;
}

// Checks a schema without caching the result. `isUnderstood` caches results of shared schemas only, because caching
// every subschema takes longer than checking it.
const look = (schema: JsonSchema): boolean =>
  Object.entries(schema).every(
    ([keyword, value]) =>
      (Object.hasOwn(KEYWORDS, keyword) && KEYWORDS[keyword]?.(value) === true) ||
      (CONDITION.includes(keyword) && isMap(value) && isWholeCondition(schema)),
  ) &&
  childSchemas(schema).every(
    ({ keyword, schema: child }) =>
      (keyword === '$defs' ? isUnderstood(child) : look(child)) &&
      (DEFAULTED.includes(keyword) || !hasDefault(child)),
  );

const isWholeCondition = (schema: JsonSchema): boolean =>
  schema['if'] !== undefined && (schema['then'] ?? schema['else']) !== undefined;

const hasDefault = (schema: JsonSchema): boolean =>
  schema.default !== undefined || childSchemas(schema).some(({ schema: child }) => hasDefault(child));

import { isJsonObject, type JsonSchema, keyGroupsOf } from '@svc/catalog';

const TELLING = ['$ref', 'type', 'enum', 'const', 'properties', 'anyOf', 'oneOf', 'allOf'];

/** Whether a schema says more of a value than a condition such as which fields are required. */
export const tellsType = (schema: JsonSchema): boolean =>
  TELLING.some((keyword) => schema[keyword] !== undefined);

/** Booleans of an exactly-one group: true chooses one, and false counts as absent. */
export function flagsOf({ exactlyOneOf, properties = {} }: JsonSchema): ReadonlySet<string> {
  const names = keyGroupsOf(exactlyOneOf).flat();
  return new Set(names.filter((name) => properties[name]?.type === 'boolean'));
}

/** Whether a keyword holds a schema, and not a boolean. */
export function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

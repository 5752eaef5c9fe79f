import type { SchemaValidateFunction } from 'ajv';
import { pathOf, quote } from './field-path.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { CROSS_FIELD_RULES } from './keywords.js';

/** The catalogue's keywords, each as the function that ajv calls for it. */
export type ObjectRules = Readonly<Record<string, SchemaValidateFunction>>;

export function createObjectRules(now: () => Date): ObjectRules {
  const keywords = Object.keys(CROSS_FIELD_RULES);
  return Object.fromEntries(keywords.map((keyword) => [keyword, objectRule(keyword, now)]));
}

function objectRule(keyword: string, now: () => Date): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (_value, object, parentSchema = {}, context) => {
    const path = context?.instancePath ?? '';
    const name = (property: string) => quote(pathOf(`${path}/${property}`));
    const schema: JsonSchema = parentSchema;
    const breaches = isJsonObject(object)
      ? (CROSS_FIELD_RULES[keyword]?.(schema, object, { name, now }) ?? [])
      : [];
    validate.errors = breaches.map(({ property, message }) => ({ keyword, message, params: { property } }));
    return breaches.length === 0;
  };
  return validate;
}

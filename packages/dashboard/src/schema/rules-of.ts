import {
  CROSS_FIELD_RULES,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  keyGroupsOf,
  ruleSentences,
} from '@svc/catalog/rules';

interface FieldRule {
  readonly sentence: string;
  readonly isMet: (object: JsonObject, now: Date) => boolean;
}

/** Splits a schema with several cross-field rules into schemas with one rule each. */
const splitRules = (schema: JsonSchema): readonly JsonSchema[] => [
  ...keyGroupsOf(schema.exactlyOneOf).map((group) => ({ exactlyOneOf: group })),
  ...keyGroupsOf(schema.atMostOneOf).map((group) => ({ atMostOneOf: group })),
  ...keyGroupsOf(schema.atLeastOneOf).map((group) => ({ atLeastOneOf: group })),
  ...Object.entries(schema.requiredWith ?? {}).map(([name, needed]) => ({
    requiredWith: { [name]: needed },
  })),
  ...Object.entries(schema.namedBy ?? {}).map(([name, fields]) => ({ namedBy: { [name]: fields } })),
  ...(schema.requiredWhen ?? []).map((each) => ({ requiredWhen: [each] })),
  ...(schema.before ?? []).map((pair) => ({ before: [pair] })),
  ...(schema.notFuture ?? []).map((name) => ({ notFuture: [name] })),
  ...(schema.withinMonths?.of ?? []).map((pair) => ({
    withinMonths: { months: schema.withinMonths?.months ?? 0, of: [pair] },
  })),
];

const breachesOf = (schema: JsonSchema, object: JsonObject, now: Date) =>
  Object.keys(schema).flatMap(
    (keyword) => CROSS_FIELD_RULES[keyword]?.(schema, object, { name: (name) => name, now: () => now }) ?? [],
  );

/** Returns the cross-field rules of an object, such as "exactly one of", with a function that checks each rule. */
export const rulesOf = (schema: JsonSchema): readonly FieldRule[] =>
  splitRules(schema).map((one) => ({
    sentence: ruleSentences(one).join(' '),
    isMet: (object, now) => breachesOf(one, object, now).length === 0,
  }));

/**
 * Returns the description of a schema. Sentences about cross-field rules at its end are removed, because the form shows
 * these rules separately.
 */
export function descriptionOf(schema: JsonSchema): string {
  const { description = '' } = schema;
  const sentences = ruleSentences(schema).join(' ');
  return description.endsWith(sentences)
    ? description.slice(0, description.length - sentences.length).trim()
    : description;
}

/**
 * Returns fields that are never collapsed: alternatives of which exactly one is required, and times that must be in
 * order.
 */
export const ruledFields = (schema: JsonSchema): readonly string[] => [
  ...keyGroupsOf(schema.exactlyOneOf).flat(),
  ...(schema.before ?? []).flat(),
];

/** Removes properties whose value is `undefined`. Returns `{}` for a value that is not an object. */
export const withoutUndefined = (object: unknown): JsonObject =>
  isJsonObject(object)
    ? Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
    : {};

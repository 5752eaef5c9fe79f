import {
  CROSS_FIELD_RULES,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  keyGroupsOf,
  ruleSentences,
} from '@svc/catalog/rules';

/** A rule across the fields of an object. */
export interface FieldRule {
  readonly sentence: string;
  readonly isKept: (object: JsonObject, now: Date) => boolean;
}

/** Splits a schema with several rules into schemas with one rule each. */
const apart = (schema: JsonSchema): readonly JsonSchema[] => [
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

/** The rules across the fields of an object, a sentence each, and whether an object keeps them. */
export const rulesOf = (schema: JsonSchema): readonly FieldRule[] =>
  apart(schema).map((one) => ({
    sentence: ruleSentences(one).join(' '),
    isKept: (object, now) => breachesOf(one, object, now).length === 0,
  }));

/** The description of a schema, without the sentences about its rules at the end. */
export function aboutOf(schema: JsonSchema): string {
  const { description = '' } = schema;
  const sentences = ruleSentences(schema).join(' ');
  return description.endsWith(sentences)
    ? description.slice(0, description.length - sentences.length).trim()
    : description;
}

/** The fields that rules make important: one of a group, and those whose times are compared. */
export const ruledFields = (schema: JsonSchema): readonly string[] => [
  ...keyGroupsOf(schema.exactlyOneOf).flat(),
  ...(schema.before ?? []).flat(),
];

/** The object without its `undefined` properties. */
export const given = (object: unknown): JsonObject =>
  isJsonObject(object)
    ? Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
    : {};

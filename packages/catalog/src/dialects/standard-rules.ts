import { type JsonSchema, keyGroupsOf } from '../json-schema.js';
import { CROSS_FIELD_RULES } from '../keywords.js';

/** A schema with nothing of the catalogue's rules across fields. */
export const withoutRules = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !Object.hasOwn(CROSS_FIELD_RULES, keyword)),
  );

/** What standard keywords can say of an object's rules across fields. */
export function standardRules(schema: JsonSchema): readonly JsonSchema[] {
  const needed = neededWith(schema);
  return [
    ...(Object.keys(needed).length === 0 ? [] : [{ dependentRequired: needed }]),
    ...keyGroupsOf(schema.exactlyOneOf).map((group) => ({
      oneOf: group.map((name) => ({ required: [name] })),
    })),
    ...keyGroupsOf(schema.atMostOneOf).map((group) => ({ not: { anyOf: pairsOf(group) } })),
    ...(schema.requiredWhen ?? []).map(({ property, equals, required }) => ({
      if: { properties: { [property]: { const: equals } }, required: [property] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      then: { required },
    })),
  ];
}

/** Without what its default may say to nobody. */
const neededWith = ({ requiredWith = {}, properties = {} }: JsonSchema) =>
  Object.fromEntries(
    Object.entries(requiredWith).filter(([name]) => properties[name]?.default === undefined),
  );

const pairsOf = (group: readonly string[]): readonly JsonSchema[] =>
  group.flatMap((first, index) => group.slice(index + 1).map((second) => ({ required: [first, second] })));

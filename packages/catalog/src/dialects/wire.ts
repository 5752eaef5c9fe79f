import { mapChildSchemas } from '../child-schemas.js';
import { conditionSentences, ruleSentences, withSentences } from '../input/input-schema.js';
import { CROSS_FIELD_RULES } from '../input/keywords.js';
import { type JsonSchema, keyGroupsOf } from '../json-schema.js';
import { withStandardFormat } from './standard-formats.js';

/**
 * JSON Schema keywords that the top level of an input schema may have when it is sent to clients. Some MCP clients drop
 * tools with other keywords, such as `if`.
 */
const AT_THE_TOP = ['type', 'description', 'properties', 'required', 'additionalProperties', '$defs'];

/**
 * Returns an input schema in standard keywords of JSON Schema 2020-12. Rules of the whole input become sentences,
 * because the service checks them anyway. The schema accepts every input that the catalogue accepts.
 */
export function wireInput(schema: JsonSchema): JsonSchema {
  const words = withSentences(inWords(schema), [...conditionSentences(schema), ...countSentences(schema)]);
  return Object.fromEntries(Object.entries(words).filter(([keyword]) => AT_THE_TOP.includes(keyword)));
}

function countSentences({ minProperties, required = [] }: JsonSchema): readonly string[] {
  const others = typeof minProperties === 'number' ? minProperties - required.length : 0;
  if (others <= 0) return [];
  return [
    `Give at least ${others} ${required.length > 0 ? 'other ' : ''}${others === 1 ? 'field' : 'fields'}.`,
  ];
}

/**
 * Returns an output schema that allows additions by the upstream: objects are open, and `enum` values become
 * examples.
 */
export function wireOutput(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === 'boolean' ? {} : openSchema(schema);
}

function wireSchema(schema: JsonSchema): JsonSchema {
  const wire = inWords(schema);
  const rules = standardRules(schema);
  const isTaken = (rule: JsonSchema, index: number) =>
    Object.keys(rule).some((keyword) => [wire, ...rules.slice(0, index)].some((other) => keyword in other));
  const further = [...(wire.allOf ?? []), ...rules.filter(isTaken)];
  const whole = Object.assign({}, ...rules.toReversed(), wire);
  return further.length === 0 ? whole : { ...whole, allOf: further };
}

function inWords(schema: JsonSchema): JsonSchema {
  const plain = withStandardFormat(withoutRules(mapChildSchemas(schema, wireSchema)));
  return withSentences(plain, ruleSentences(schema));
}

function openSchema(schema: JsonSchema): JsonSchema {
  const plain = mapChildSchemas(withoutRules(schema), openSchema);
  const { format: _, enum: values, const: value, ...rest } = plain;
  const examples = values ?? (value === undefined ? undefined : [value]);
  return {
    ...rest,
    ...(rest.additionalProperties === false ? { additionalProperties: true } : {}),
    ...(examples === undefined ? {} : { examples }),
  };
}

/**
 * Removes the catalogue's own keywords for rules across fields, such as `exactlyOneOf`, which are not part of JSON
 * Schema.
 */
const withoutRules = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !Object.hasOwn(CROSS_FIELD_RULES, keyword)),
  );

/** Expresses an object's rules across fields, such as `exactlyOneOf`, in standard keywords of JSON Schema. */
function standardRules(schema: JsonSchema): readonly JsonSchema[] {
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

/** `requiredWith`, without properties that have a default: validation fills those in. */
const neededWith = ({ requiredWith = {}, properties = {} }: JsonSchema) =>
  Object.fromEntries(
    Object.entries(requiredWith).filter(([name]) => properties[name]?.default === undefined),
  );

const pairsOf = (group: readonly string[]): readonly JsonSchema[] =>
  group.flatMap((first, index) => group.slice(index + 1).map((second) => ({ required: [first, second] })));

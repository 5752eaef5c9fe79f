import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { asList, asSchema, type Check, type CheckedValue, type Fault, fault, step } from './checked-value.js';
import { CROSS_FIELD_RULES, findBreaches } from './keywords.js';
import { matches } from './value-checks.js';

const asSchemas = (value: unknown): readonly JsonSchema[] => asList(value).filter(isJsonObject);
const membersOf = (value: unknown) => (isJsonObject(value) ? Object.entries(value) : []);
const has = (value: unknown, name: string) => isJsonObject(value) && Object.hasOwn(value, name);

/** Validates one property of an object against the property's schema. Returns the broken rules. */
const member = ({ value, pointer, check }: CheckedValue, name: string, schema: unknown): readonly Fault[] =>
  check(asSchema(schema) ?? {}, Object(value)[name], `${pointer}/${step(name)}`);

function union(keyword: 'anyOf' | 'oneOf', fits: (count: number) => boolean): Check {
  return (branches, node) => {
    const faults = asSchemas(branches).map((branch) => node.check(branch, node.value, node.pointer));
    const isRight = fits(faults.filter((each) => each.length === 0).length);
    return isRight ? [] : [...faults.flat(), { ...fault(keyword, node), schema: branches }];
  };
}

/**
 * Functions that validate a value against the JSON Schema keywords that combine schemas, such as `anyOf`, by keyword.
 */
export const UNIONS: Readonly<Record<string, Check>> = {
  not: (schema, node) =>
    node.check(asSchema(schema) ?? {}, node.value, node.pointer).length > 0 ? [] : [fault('not', node)],
  anyOf: union('anyOf', (count) => count > 0),
  oneOf: union('oneOf', (count) => count === 1),
  allOf: (parts, { value, pointer, check }) =>
    asSchemas(parts).flatMap((part) => check(part, value, pointer)),
  if: (condition, { value, pointer, schema, check }) => {
    const isMet = check(asSchema(condition) ?? {}, value, pointer).length === 0;
    return check(asSchema(isMet ? schema['then'] : schema['else']) ?? {}, value, pointer);
  },
};

const patternsOf = ({ schema }: CheckedValue) => membersOf(schema['patternProperties']);

/**
 * Functions that validate the properties of an object or the items of a list against JSON Schema keywords such as
 * `properties`.
 */
export const PARTS: Readonly<Record<string, Check>> = {
  prefixItems: (schemas, { value, pointer, check }) =>
    asSchemas(schemas).flatMap((schema, index) =>
      index < asList(value).length ? check(schema, asList(value)[index], `${pointer}/${index}`) : [],
    ),
  items: (items, { value, pointer, schema, check }) => {
    const first = asList(schema['prefixItems']).length;
    return asList(value).flatMap((item, index) =>
      index < first ? [] : check(asSchema(items) ?? {}, item, `${pointer}/${index}`),
    );
  },
  required: (names, node) =>
    isJsonObject(node.value)
      ? asList(names)
          .map(String)
          .filter((name) => !has(node.value, name))
          .map((missingProperty) => fault('required', node, { missingProperty }))
      : [],
  propertyNames: (schema, node) =>
    membersOf(node.value)
      .filter(([name]) => node.check(asSchema(schema) ?? {}, name, node.pointer).length > 0)
      .map(([propertyName]) => fault('propertyNames', node, { propertyName })),
  additionalProperties: (further, node) => {
    const known = Object.keys(node.schema.properties ?? {});
    const patterns = patternsOf(node);
    return membersOf(node.value)
      .filter(([name]) => !known.includes(name) && !patterns.some(([pattern]) => matches(pattern, name)))
      .flatMap(([name]) =>
        further === false
          ? [fault('additionalProperties', node, { additionalProperty: name })]
          : member(node, name, further),
      );
  },
  properties: (properties, node) =>
    membersOf(properties).flatMap(([name, schema]) =>
      has(node.value, name) ? member(node, name, schema) : [],
    ),
  patternProperties: (_patterns, node) =>
    patternsOf(node).flatMap(([pattern, schema]) =>
      membersOf(node.value)
        .filter(([name]) => matches(pattern, name))
        .flatMap(([name]) => member(node, name, schema)),
    ),
};

/**
 * Functions that validate a value against the JSON Schema keywords that apply when a property is present, such as
 * `dependentRequired`.
 */
export const DEPENDENTS: Readonly<Record<string, Check>> = {
  dependentRequired: (needs, node) =>
    membersOf(needs).flatMap(([property, names]) =>
      has(node.value, property)
        ? asList(names)
            .map(String)
            .filter((name) => !has(node.value, name))
            .map((missingProperty) => fault('dependentRequired', node, { property, missingProperty }))
        : [],
    ),
  dependentSchemas: (schemas, { value, pointer, check }) =>
    membersOf(schemas).flatMap(([name, schema]) =>
      has(value, name) ? check(asSchema(schema) ?? {}, value, pointer) : [],
    ),
};

/**
 * Functions that validate an object against the catalogue's own keywords for rules across fields, such as
 * `exactlyOneOf`.
 */
export const RULES: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.keys(CROSS_FIELD_RULES).map((keyword): [string, Check] => [
    keyword,
    (_limit, node) =>
      findBreaches(keyword, node).map(({ property, message }) => fault(keyword, node, { property }, message)),
  ]),
);

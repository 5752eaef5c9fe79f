import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { CROSS_FIELD_RULES, findBreaches } from '../keywords.js';
import { asList, asSchema, type Check, type Fault, fault, type Place, step } from './place.js';
import { matches } from './value-checks.js';

const asSchemas = (value: unknown): readonly JsonSchema[] => asList(value).filter(isJsonObject);
const membersOf = (value: unknown) => (isJsonObject(value) ? Object.entries(value) : []);
const has = (value: unknown, name: string) => isJsonObject(value) && Object.hasOwn(value, name);

/** Checks one property of an object against its schema. */
const member = ({ value, pointer, check }: Place, name: string, schema: unknown): readonly Fault[] =>
  check(asSchema(schema) ?? {}, Object(value)[name], `${pointer}/${step(name)}`);

function union(keyword: 'anyOf' | 'oneOf', fits: (count: number) => boolean): Check {
  return (branches, place) => {
    const faults = asSchemas(branches).map((branch) => place.check(branch, place.value, place.pointer));
    const isRight = fits(faults.filter((each) => each.length === 0).length);
    return isRight ? [] : [...faults.flat(), { ...fault(keyword, place), schema: branches }];
  };
}

/** Checks of the JSON Schema keywords that combine schemas, such as `anyOf`. */
export const UNIONS: Readonly<Record<string, Check>> = {
  not: (schema, place) =>
    place.check(asSchema(schema) ?? {}, place.value, place.pointer).length > 0 ? [] : [fault('not', place)],
  anyOf: union('anyOf', (count) => count > 0),
  oneOf: union('oneOf', (count) => count === 1),
  allOf: (parts, { value, pointer, check }) =>
    asSchemas(parts).flatMap((part) => check(part, value, pointer)),
  if: (condition, { value, pointer, schema, check }) => {
    const holds = check(asSchema(condition) ?? {}, value, pointer).length === 0;
    return check(asSchema(holds ? schema['then'] : schema['else']) ?? {}, value, pointer);
  },
};

const patternsOf = ({ schema }: Place) => membersOf(schema['patternProperties']);

/** Checks of the JSON Schema keywords for the properties of an object and the items of a list. */
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
  required: (names, place) =>
    isJsonObject(place.value)
      ? asList(names)
          .map(String)
          .filter((name) => !has(place.value, name))
          .map((missingProperty) => fault('required', place, { missingProperty }))
      : [],
  propertyNames: (schema, place) =>
    membersOf(place.value)
      .filter(([name]) => place.check(asSchema(schema) ?? {}, name, place.pointer).length > 0)
      .map(([propertyName]) => fault('propertyNames', place, { propertyName })),
  additionalProperties: (further, place) => {
    const known = Object.keys(place.schema.properties ?? {});
    const patterns = patternsOf(place);
    return membersOf(place.value)
      .filter(([name]) => !known.includes(name) && !patterns.some(([pattern]) => matches(pattern, name)))
      .flatMap(([name]) =>
        further === false
          ? [fault('additionalProperties', place, { additionalProperty: name })]
          : member(place, name, further),
      );
  },
  properties: (properties, place) =>
    membersOf(properties).flatMap(([name, schema]) =>
      has(place.value, name) ? member(place, name, schema) : [],
    ),
  patternProperties: (_patterns, place) =>
    patternsOf(place).flatMap(([pattern, schema]) =>
      membersOf(place.value)
        .filter(([name]) => matches(pattern, name))
        .flatMap(([name]) => member(place, name, schema)),
    ),
};

/** Checks of the keywords that apply when a property is present, such as `dependentRequired`. */
export const DEPENDENTS: Readonly<Record<string, Check>> = {
  dependentRequired: (needs, place) =>
    membersOf(needs).flatMap(([property, names]) =>
      has(place.value, property)
        ? asList(names)
            .map(String)
            .filter((name) => !has(place.value, name))
            .map((missingProperty) => fault('dependentRequired', place, { property, missingProperty }))
        : [],
    ),
  dependentSchemas: (schemas, { value, pointer, check }) =>
    membersOf(schemas).flatMap(([name, schema]) =>
      has(value, name) ? check(asSchema(schema) ?? {}, value, pointer) : [],
    ),
};

/** Checks of the catalogue's own keywords for rules across the fields of an object, such as `exactlyOneOf`. */
export const RULES: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.keys(CROSS_FIELD_RULES).map((keyword): [string, Check] => [
    keyword,
    (_limit, place) =>
      findBreaches(keyword, place).map(({ property, message }) =>
        fault(keyword, place, { property }, message),
      ),
  ]),
);

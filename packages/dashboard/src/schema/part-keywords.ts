import { CROSS_FIELD_RULES, isJsonObject, type JsonSchema, pathOf, quote } from '@svc/catalog/rules';
import { asList, asSchema, type Check, fault, step } from './place.ts';

const asSchemas = (value: unknown): readonly JsonSchema[] => asList(value).filter(isJsonObject);

/** Keywords about the parts of a value. */
export const PARTS: Readonly<Record<string, Check>> = {
  required: (names, place) =>
    isJsonObject(place.value)
      ? asList(names)
          .filter((name) => !Object.hasOwn(Object(place.value), String(name)))
          .map((name) => fault('required', place, { missingProperty: name }))
      : [],
  properties: (properties, { value, pointer, check }) =>
    Object.entries(asSchema(properties) ?? {}).flatMap(([name, schema]) =>
      isJsonObject(value) && Object.hasOwn(value, name)
        ? check(asSchema(schema) ?? {}, value[name], `${pointer}/${step(name)}`)
        : [],
    ),
  additionalProperties: (further, place) => {
    const { value, pointer, schema, check } = place;
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const known = Object.keys(schema.properties ?? {});
    return names
      .filter((name) => !known.includes(name))
      .flatMap((name) =>
        further === false
          ? [fault('additionalProperties', place, { additionalProperty: name })]
          : check(asSchema(further) ?? {}, Object(value)[name], `${pointer}/${step(name)}`),
      );
  },
  dependentSchemas: (schemas, { value, pointer, check }) =>
    Object.entries(asSchema(schemas) ?? {}).flatMap(([name, schema]) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? check(asSchema(schema) ?? {}, value, pointer) : [],
    ),
  items: (items, { value, pointer, check }) =>
    asList(value).flatMap((item, index) => check(asSchema(items) ?? {}, item, `${pointer}/${index}`)),
};

const union =
  (keyword: 'anyOf' | 'oneOf', fits: (count: number) => boolean): Check =>
  (branches, place) => {
    const faults = asSchemas(branches).map((branch) => place.check(branch, place.value, place.pointer));
    const isRight = fits(faults.filter((each) => each.length === 0).length);
    return isRight ? [] : [...faults.flat(), { ...fault(keyword, place), schema: branches }];
  };

/** Keywords that put schemas together. */
export const COMBINATIONS: Readonly<Record<string, Check>> = {
  anyOf: union('anyOf', (count) => count > 0),
  oneOf: union('oneOf', (count) => count === 1),
  allOf: (parts, { value, pointer, check }) =>
    asSchemas(parts).flatMap((part) => check(part, value, pointer)),
  not: (schema, place) =>
    place.check(asSchema(schema) ?? {}, place.value, place.pointer).length > 0 ? [] : [fault('not', place)],
  if: (condition, { value, pointer, schema, check }) => {
    const holds = check(asSchema(condition) ?? {}, value, pointer).length === 0;
    return check(asSchema(holds ? schema['then'] : schema['else']) ?? {}, value, pointer);
  },
};

/** The catalogue's own keywords for rules across the fields of an object. */
export const RULES: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.entries(CROSS_FIELD_RULES).map(([keyword, breachesOf]): [string, Check] => [
    keyword,
    (_limit, place) => {
      const name = (property: string) => quote(pathOf(`${place.pointer}/${property}`));
      if (!isJsonObject(place.value)) return [];
      return breachesOf(place.schema, place.value, { name, now: place.now }).map(({ property, message }) =>
        fault(keyword, place, { property }, message),
      );
    },
  ]),
);

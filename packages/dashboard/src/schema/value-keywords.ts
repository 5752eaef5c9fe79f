import { isFormat, isJsonObject, type JsonObject } from '@svc/catalog/rules';
import { asList, type Check, fault, type Params } from './place.ts';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isJsonObject,
  null: (value) => value === null,
};

/** A rule that holds for values of one kind and says nothing about the others. */
const rule =
  <Kind>(
    keyword: string,
    isKind: (value: unknown) => value is Kind,
    broken: (value: Kind, limit: unknown) => Params | undefined,
  ): Check =>
  (limit, place) => {
    const params = isKind(place.value) ? broken(place.value, limit) : undefined;
    return params === undefined ? [] : [fault(keyword, place, params)];
  };

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const lengthOf = (text: string) => [...text].length;
const sizeOf = (object: JsonObject) => Object.keys(object).length;

/** A rule that compares a measure of the value with its limit. */
const limited = <Kind>(
  keyword: string,
  isKind: (value: unknown) => value is Kind,
  holds: (value: Kind, limit: number) => boolean,
): readonly [string, Check] => [
  keyword,
  rule(keyword, isKind, (value, limit) => (holds(value, Number(limit)) ? undefined : { limit })),
];

/** Keywords that compare a measure with a limit. */
export const LIMITS: Readonly<Record<string, Check>> = Object.fromEntries([
  limited('minimum', isNumber, (value, limit) => value >= limit),
  limited('maximum', isNumber, (value, limit) => value <= limit),
  limited('exclusiveMinimum', isNumber, (value, limit) => value > limit),
  limited('exclusiveMaximum', isNumber, (value, limit) => value < limit),
  limited('minLength', isText, (value, limit) => lengthOf(value) >= limit),
  limited('maxLength', isText, (value, limit) => lengthOf(value) <= limit),
  limited('minItems', isList, (value, limit) => value.length >= limit),
  limited('maxItems', isList, (value, limit) => value.length <= limit),
  limited('minProperties', isJsonObject, (value, limit) => sizeOf(value) >= limit),
  limited('maxProperties', isJsonObject, (value, limit) => sizeOf(value) <= limit),
]);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function lastRepeat(list: readonly unknown[]): Params | undefined {
  for (let j = list.length - 1; j > 0; j -= 1) {
    const i = list.slice(0, j).findLastIndex((each) => isSame(each, list[j]));
    if (i >= 0) return { i, j };
  }
  return undefined;
}

/** Keywords about a value as it is. */
export const VALUES: Readonly<Record<string, Check>> = {
  type: (types, place) =>
    [types].flat().some((type) => TYPES[String(type)]?.(place.value))
      ? []
      : [fault('type', place, { type: types })],
  enum: (values, place) =>
    asList(values).some((each) => isSame(each, place.value))
      ? []
      : [fault('enum', place, { allowedValues: values })],
  const: (value, place) =>
    isSame(value, place.value) ? [] : [fault('const', place, { allowedValue: value })],
  format: rule('format', isText, (text, format) => (isFormat(String(format), text) ? undefined : { format })),
  pattern: rule('pattern', isText, (text, pattern) =>
    new RegExp(String(pattern), 'u').test(text) ? undefined : { pattern },
  ),
  multipleOf: rule('multipleOf', isNumber, (value, multipleOf) =>
    Number.isInteger(value / Number(multipleOf)) ? undefined : { multipleOf },
  ),
  uniqueItems: rule('uniqueItems', isList, (list, isUnique) =>
    isUnique === true ? lastRepeat(list) : undefined,
  ),
};

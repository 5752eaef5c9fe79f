import { isJsonObject, type JsonObject, resolved } from '../json-schema.js';
import { asList, asSchema, type Check, fault, type Params } from './checked-value.js';

/** Types of JSON Schema by name, each with a test for values of the type. */
export const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isJsonObject,
  null: (value) => value === null,
};

/**
 * Creates the function that validates values of one kind, such as texts, against a JSON Schema keyword. It accepts all
 * values of other kinds.
 */
function rule<Kind>(
  keyword: string,
  isKind: (value: unknown) => value is Kind,
  broken: (value: Kind, limit: unknown) => Params | undefined,
): Check {
  return (limit, node) => {
    const params = isKind(node.value) ? broken(node.value, limit) : undefined;
    return params === undefined ? [] : [fault(keyword, node, params)];
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const lengthOf = (text: string) => [...text].length;
const sizeOf = (object: JsonObject) => Object.keys(object).length;

/** Tests a text against the `pattern` of a schema, with the Unicode flag that ajv uses. */
export const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);

/** Creates the function that validates values against a JSON Schema keyword with a limit, such as `maximum`. */
function limited<Kind>(
  keyword: string,
  isKind: (value: unknown) => value is Kind,
  isMet: (value: Kind, limit: number) => boolean,
): Readonly<Record<string, Check>> {
  return {
    [keyword]: rule(keyword, isKind, (value, limit) => (isMet(value, Number(limit)) ? undefined : { limit })),
  };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const hasType = (types: unknown, value: unknown) =>
  [types].flat().some((type) => TYPES[String(type)]?.(value));

/**
 * Finds two equal items of a list. Skips items of a wrong type, as ajv does, because their type is already reported.
 */
function findRepeat(list: readonly unknown[], types: unknown): Params | undefined {
  if (types === undefined || [types].flat().some((type) => type === 'object' || type === 'array'))
    return findEqual(list);
  const seen = new Map<unknown, number>();
  for (const [i, item] of [...list.entries()].toReversed()) {
    if (!hasType(types, item)) continue;
    if (seen.has(item)) return { i, j: seen.get(item) };
    seen.set(item, i);
  }
  return undefined;
}

function findEqual(list: readonly unknown[]): Params | undefined {
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = list.slice(0, i).findLastIndex((each) => isSame(each, list[i]));
    if (j >= 0) return { i, j };
  }
  return undefined;
}

/**
 * Functions that validate a value against the JSON Schema keywords for the value itself, such as `type`, and not for
 * its properties or items.
 */
export const VALUES: Readonly<Record<string, Check>> = {
  type: (types, node) => (hasType(types, node.value) ? [] : [fault('type', node, { type: types })]),
  $ref: (_reference, { schema, root, value, pointer, check }) =>
    check(resolved({ $ref: schema.$ref ?? '' }, root), value, pointer),
  const: (value, node) => (isSame(value, node.value) ? [] : [fault('const', node, { allowedValue: value })]),
  enum: (values, node) =>
    asList(values).some((each) => isSame(each, node.value))
      ? []
      : [fault('enum', node, { allowedValues: values })],
};

/** Returns true for a whole number, as ajv does. Numbers from 1e21 do not count, because their text has an exponent. */
const isWhole = (value: number): boolean => value === Number.parseInt(String(value), 10);

/**
 * Functions that validate a value against the JSON Schema keywords that limit numbers, texts, lists and the number of
 * properties, such as `maximum`.
 */
export const LIMITS: Readonly<Record<string, Check>> = {
  ...limited('maximum', isNumber, (value, limit) => value <= limit),
  ...limited('minimum', isNumber, (value, limit) => value >= limit),
  ...limited('exclusiveMaximum', isNumber, (value, limit) => value < limit),
  ...limited('exclusiveMinimum', isNumber, (value, limit) => value > limit),
  multipleOf: rule('multipleOf', isNumber, (value, multipleOf) =>
    isWhole(value / Number(multipleOf)) ? undefined : { multipleOf },
  ),
  ...limited('maxLength', isText, (value, limit) => lengthOf(value) <= limit),
  ...limited('minLength', isText, (value, limit) => lengthOf(value) >= limit),
  pattern: rule('pattern', isText, (text, pattern) =>
    matches(String(pattern), text) ? undefined : { pattern },
  ),
  format: (format, node) =>
    !isText(node.value) || node.isFormat(String(format), node.value)
      ? []
      : [fault('format', node, { format })],
  ...limited('maxItems', isList, (value, limit) => value.length <= limit),
  ...limited('minItems', isList, (value, limit) => value.length >= limit),
  ...limited('maxProperties', isJsonObject, (value, limit) => sizeOf(value) <= limit),
  ...limited('minProperties', isJsonObject, (value, limit) => sizeOf(value) >= limit),
};

/**
 * Functions that validate a list against the JSON Schema keywords that compare its items with each other, such as
 * `uniqueItems`.
 */
export const REPEATS: Readonly<Record<string, Check>> = {
  uniqueItems: (isUnique, node) => {
    const repeat =
      isUnique === true && isList(node.value)
        ? findRepeat(node.value, asSchema(node.schema.items)?.type)
        : undefined;
    return repeat === undefined ? [] : [fault('uniqueItems', node, repeat)];
  },
};

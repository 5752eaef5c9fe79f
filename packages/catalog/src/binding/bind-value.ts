import { isJsonObject, type JsonObject } from '../json-schema.js';
import { type Given, referenceIn, resolve } from './reference.js';

/**
 * Evaluates a template from a tool file: a literal, a reference such as `"{page_id}"`, an operator such as `$first`, or
 * a nesting of these. Leaves out absent values, but keeps empty objects and lists.
 */
export function bindValue(binding: unknown, given: Given): unknown {
  if (typeof binding === 'string') {
    const reference = referenceIn(binding);
    return reference === undefined ? binding : resolve(reference, given);
  }
  if (Array.isArray(binding)) return binding.flatMap((item) => present(bindValue(item, given)));
  if (!isJsonObject(binding)) return binding;
  for (const name in binding) if (isOperator(name)) return OPERATORS[name].bind(binding, given);
  return bindEntries(binding, given);
}

/**
 * Evaluates the values of an object in a template. Leaves out entries whose value is absent. A key that begins with
 * "$$" stands for a name that begins with "$".
 */
export function bindEntries(binding: Readonly<JsonObject>, given: Given): JsonObject {
  const bound: [string, unknown][] = [];
  for (const [name, item] of Object.entries(binding)) {
    const value = bindValue(item, given);
    if (value !== undefined) bound.push([name.startsWith('$$') ? name.slice(1) : name, value]);
  }
  return Object.fromEntries(bound);
}

/**
 * Operators of request templates, such as `$first`. Each has the function that evaluates it, and the names of its
 * further fields.
 */
export const OPERATORS = {
  $first: { bind: first, fields: [] },
  $with: { bind: withValue, fields: ['value'] },
  $table: { bind: table, fields: ['values'] },
  $filled: { bind: filled, fields: [] },
  $comma: { bind: comma, fields: [] },
  $decoded: { bind: decoded, fields: [] },
} satisfies Readonly<Record<string, Operator>>;

interface Operator {
  readonly bind: (binding: Readonly<JsonObject>, given: Given) => unknown;
  readonly fields: readonly string[];
}

/** Checks whether a property name is a template operator such as `$first`. 36 is the character code of "$". */
export const isOperator = (name: string): name is keyof typeof OPERATORS =>
  name.charCodeAt(0) === 36 && Object.hasOwn(OPERATORS, name);

const present = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value]);

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Operator `$first`: returns the first value that is neither absent nor null. A literal null in the list counts as a
 * value.
 */
function first({ $first: options }: Readonly<JsonObject>, given: Given): unknown {
  for (const option of Array.isArray(options) ? options : []) {
    const value = bindValue(option, given);
    if (isThere(value) || option === null) return value;
  }
  return undefined;
}

/** Operator `$with`: returns `value` if one of the conditions is neither absent nor null. */
function withValue({ $with: conditions, value }: Readonly<JsonObject>, given: Given): unknown {
  const isMet = [conditions].flat().some((condition) => isThere(bindValue(condition, given)));
  return isMet ? bindValue(value, given) : undefined;
}

/**
 * Operator `$table`: replaces the value, or each item of a list, with its entry in `values`. A value without an entry
 * stays unchanged.
 */
function table({ $table: binding, values }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  const look = (item: unknown) =>
    isJsonObject(values) && Object.hasOwn(values, String(item)) ? values[String(item)] : item;
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(look) : look(value);
}

/** Operator `$filled`: returns the value, but leaves out false, an empty text and an empty list. */
function filled({ $filled: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  const isEmpty = value === false || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

/** Operator `$comma`: joins a list with commas. Leaves out an empty list. */
function comma({ $comma: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : value.join(',');
}

/** Operator `$decoded`: removes one layer of percent-encoding from a text, or from each text of a list. */
function decoded({ $decoded: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  return Array.isArray(value) ? value.map(decodeText) : decodeText(value);
}

function decodeText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // Text with a "%" that begins no escape stays unchanged.
  }
}

import { isJsonObject, type JsonObject } from '../json-schema.js';
import { type Given, referenceIn, resolve } from './reference.js';

/** A value of a binding: a literal, a reference, an operator, or a nesting of these; what is absent vanishes, containers stay. */
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

/** The entries of an object that are there, each bound. */
export function bindEntries(binding: Readonly<JsonObject>, given: Given): JsonObject {
  const bound: [string, unknown][] = [];
  for (const [name, item] of Object.entries(binding)) {
    const value = bindValue(item, given);
    if (value !== undefined) bound.push([name, value]);
  }
  return Object.fromEntries(bound);
}

/** Function that binds each operator, and the fields that it allows beside its name. */
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

/** Returns whether a name is an operator. */
export const isOperator = (name: string): name is keyof typeof OPERATORS =>
  name.charCodeAt(0) === 36 && Object.hasOwn(OPERATORS, name);

const present = <Value>(value: Value | undefined): Value[] => (value === undefined ? [] : [value]);

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** The first value that is there. Null counts as absent, unless it is written in the file. */
function first({ $first: options }: Readonly<JsonObject>, given: Given): unknown {
  for (const option of Array.isArray(options) ? options : []) {
    const value = bindValue(option, given);
    if (isThere(value) || option === null) return value;
  }
  return undefined;
}

/** The value, where what it goes with is there: one value, or any of a list. */
function withValue({ $with: conditions, value }: Readonly<JsonObject>, given: Given): unknown {
  const isMet = [conditions].flat().some((condition) => isThere(bindValue(condition, given)));
  return isMet ? bindValue(value, given) : undefined;
}

/** Maps the value, or each item of a list, by the table. Values that are not in the table pass unchanged. */
function table({ $table: binding, values }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  const look = (item: unknown) =>
    isJsonObject(values) && Object.hasOwn(values, String(item)) ? values[String(item)] : item;
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(look) : look(value);
}

/** The value, unless it says nothing: false, an empty text or an empty list. */
function filled({ $filled: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  const isEmpty = value === false || value === '' || (Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : value;
}

/** A list as one text, with commas between its items. */
function comma({ $comma: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : value.join(',');
}

/** A text, or each text of a list, without one layer of percent-encoding. */
function decoded({ $decoded: binding }: Readonly<JsonObject>, given: Given): unknown {
  const value = bindValue(binding, given);
  return Array.isArray(value) ? value.map(decodeText) : decodeText(value);
}

function decodeText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // A "%" that begins no escape stands for itself.
  }
}

import { isJsonObject } from './json-schema.js';

/** Whether `expected` is a part of `actual`: field by field; an array fits when one of its items does. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.every((item) => contains(actual, item));
  if (Array.isArray(actual)) return actual.some((item) => contains(item, expected));
  if (!isJsonObject(expected)) return actual === expected;
  if (!isJsonObject(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && contains(actual[name], value),
  );
}

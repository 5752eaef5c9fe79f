import type { ErrorRule } from '@svc/catalog';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether `expected` is a part of `actual`: field by field; an array fits when one of its items does. */
function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.every((item) => contains(actual, item));
  if (Array.isArray(actual)) return actual.some((item) => contains(item, expected));
  if (!isObject(expected)) return actual === expected;
  if (!isObject(actual)) return false;
  return Object.entries(expected).every(
    ([name, value]) => Object.hasOwn(actual, name) && contains(actual[name], value),
  );
}

/** The first rule of the connector that an upstream error fits. */
export const findErrorRule = (
  rules: readonly ErrorRule[],
  status: number,
  body: unknown,
): ErrorRule | undefined =>
  rules.find((rule) => rule.status === status && (rule.body === undefined || contains(body, rule.body)));

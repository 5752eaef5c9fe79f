import { contains, type ErrorRule, isJsonObject } from '@svc/catalog';

/** Checks whether the body has a field with a value. */
function holds(body: unknown, name: string): boolean {
  const value = isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/** The first error rule of a connector that matches a response. */
export const findErrorRule = (
  rules: readonly ErrorRule[],
  status: number,
  body: unknown,
): ErrorRule | undefined =>
  rules.find(
    (rule) =>
      rule.status === status &&
      (rule.body === undefined || contains(body, rule.body)) &&
      (rule.present === undefined || holds(body, rule.present)),
  );

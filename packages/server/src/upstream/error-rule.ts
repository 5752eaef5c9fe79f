import { contains, type ErrorRule, isJsonObject } from '@svc/catalog';

/** Checks whether the body is an object with a non-empty field of this name. */
function holds(body: unknown, name: string): boolean {
  const value = isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/**
 * Finds the connector's first error rule that matches a response. A rule tests the status and, optionally, the body.
 */
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

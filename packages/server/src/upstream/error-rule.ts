import { contains, type ErrorRule, isJsonObject } from '@svc/catalog';

/** Returns true if the response body is an object in which the field `name` is not empty. */
function holds(body: unknown, name: string): boolean {
  const value = isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/**
 * Returns the connector's first error rule that matches the response. A rule compares the status and optionally the
 * body.
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

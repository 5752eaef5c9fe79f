import { contains, type ErrorRule, isJsonObject } from '@svc/catalog';

/** Whether a field of the body is there and says something. */
function holds(body: unknown, name: string): boolean {
  const value = isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
  return value !== undefined && value !== null && value !== '';
}

/** The first rule of the connector that an upstream error fits. */
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

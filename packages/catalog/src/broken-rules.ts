import type { ErrorObject } from './create-ajvs.js';
import type { BrokenRule } from './errors.js';
import { explain } from './explain.js';
import { type ExamineBranch, reduceUnions } from './reduce-unions.js';

/** So many broken rules are told at most: an array of a million wrong items is one mistake. */
const MAX_RULES = 20;

/** What ajv found, each broken rule once and in plain words. */
export function brokenRules(
  errors: readonly ErrorObject[],
  examine: ExamineBranch,
  subject: string,
): readonly BrokenRule[] {
  const told = new Map<string, BrokenRule>();
  for (const error of reduceUnions(errors.filter(isTold), examine)) {
    const rule = explain(error, subject);
    told.set(`${rule.field} ${rule.rule} ${rule.message}`, rule);
    if (told.size === MAX_RULES) break;
  }
  return [...told.values()];
}

/** `if` only says that `then` or `else` failed, which is told itself; the same holds for the insides of propertyNames. */
function isTold(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.propertyName === undefined;
}

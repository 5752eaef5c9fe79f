import { DEPENDENTS, PARTS, RULES, UNIONS } from './part-checks.js';
import type { Check } from './place.js';
import { LIMITS, REPEATS, VALUES } from './value-checks.js';

/** Every keyword that is checked without ajv, in the order in which ajv looks at them. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...VALUES,
  ...UNIONS,
  ...LIMITS,
  ...PARTS,
  ...REPEATS,
  ...DEPENDENTS,
  ...RULES,
};

import { COMBINATIONS, PARTS, RULES } from './part-keywords.ts';
import type { Check } from './place.ts';
import { LIMITS, VALUES } from './value-keywords.ts';

/** Every keyword that is checked as one types. */
export const KEYWORDS: Readonly<Record<string, Check>> = {
  ...LIMITS,
  ...VALUES,
  ...PARTS,
  ...COMBINATIONS,
  ...RULES,
};

/** Keywords that tell about a value, or belong to another one. */
export const TELLING: readonly string[] = [
  '$defs',
  '$ref',
  'default',
  'description',
  'else',
  'examples',
  'then',
  'title',
  'writeOnly',
];

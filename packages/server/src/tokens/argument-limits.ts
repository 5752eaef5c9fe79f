import { isObject } from '../text/json-object.js';

type Scalar = string | number | boolean | null;

/** Conditions for one value in a tool's input. The value must meet all of them. */
export interface ArgumentLimit {
  readonly eq?: Scalar;
  readonly in?: readonly Scalar[];
  /**
   * Required prefix of a string. End the prefix at a separator: `https://files.example` would also allow
   * `https://files.example.evil`.
   */
  readonly prefix?: string;
  readonly min?: number;
  readonly max?: number;
}

export type ArgumentLimits = Readonly<Record<string, Readonly<Record<string, ArgumentLimit>>>>;

interface Rule {
  readonly isLimit: (limit: unknown) => boolean;
  readonly allows: (value: unknown, limit: never) => boolean;
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);

const RULES = {
  eq: { isLimit: isScalar, allows: (value, limit: Scalar) => value === limit },
  in: {
    isLimit: (limit) => Array.isArray(limit) && limit.every(isScalar),
    allows: (value, limit: readonly unknown[]) => limit.includes(value),
  },
  prefix: {
    isLimit: (limit) => typeof limit === 'string' && limit !== '',
    allows: (value, limit: string) => typeof value === 'string' && value.startsWith(limit),
  },
  min: { isLimit: isNumber, allows: (value, limit: number) => isNumber(value) && value >= limit },
  max: { isLimit: isNumber, allows: (value, limit: number) => isNumber(value) && value <= limit },
} satisfies Readonly<Record<keyof ArgumentLimit, Rule>>;

const MAX_CHARACTERS = 256;

function isArgumentLimit(value: unknown): boolean {
  if (!isObject(value)) return false;
  const conditions = Object.entries(value);
  return (
    conditions.length > 0 &&
    conditions.every(
      ([name, limit]) => Object.hasOwn(RULES, name) && RULES[name as keyof ArgumentLimit].isLimit(limit),
    )
  );
}

const hasNames = (value: unknown, isEach: (each: unknown) => boolean): boolean =>
  isObject(value) &&
  Object.entries(value).every(([name, each]) => name !== '' && name.length <= MAX_CHARACTERS && isEach(each));

/** Returns true if the value contains valid argument conditions, by tool name and by path in the tool input. */
export const isArgumentLimits = (value: unknown): boolean =>
  hasNames(value, (paths) => hasNames(paths, isArgumentLimit));

/**
 * Returns the values at a path of the tool input. A list yields one value per item, and an item without the path yields
 * `undefined`.
 */
function valuesAt(value: unknown, keys: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, keys));
  const [key, ...rest] = keys;
  if (key === undefined) return [value];
  return isObject(value) && Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [undefined];
}

function fits(value: unknown, { eq, in: among, prefix, min, max }: ArgumentLimit): boolean {
  return (
    value !== undefined &&
    (eq === undefined || RULES.eq.allows(value, eq)) &&
    (among === undefined || RULES.in.allows(value, among)) &&
    (prefix === undefined || RULES.prefix.allows(value, prefix)) &&
    (min === undefined || RULES.min.allows(value, min)) &&
    (max === undefined || RULES.max.allows(value, max))
  );
}

/** Returns true if the tool input meets all argument conditions of the tool. A missing value meets no condition. */
export function argumentsAllow(limits: ArgumentLimits, toolName: string, input: unknown): boolean {
  const paths = Object.hasOwn(limits, toolName) ? limits[toolName] : undefined;
  return Object.entries(paths ?? {}).every(([path, limit]) => {
    const values = valuesAt(input, path.split('.'));
    return values.length > 0 && values.every((value) => fits(value, limit));
  });
}

import type { JsonSchema } from '@svc/catalog';
import { type Compare, type Comparison, type Finding, finding } from './effect.js';

/**
 * Lower or upper bound of a number in a schema. An exclusive bound of integers is converted to the next integer, which
 * is inclusive.
 */
interface Bound {
  readonly at: number;
  readonly isInclusive: boolean;
}

const numberOf = (schema: JsonSchema, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
};

const NUMBERS = [
  { word: 'smallest', sign: 1, inclusive: 'minimum', exclusive: 'exclusiveMinimum' },
  { word: 'largest', sign: -1, inclusive: 'maximum', exclusive: 'exclusiveMaximum' },
] as const;
type Side = (typeof NUMBERS)[number];

/**
 * Returns the lower or the upper bound in a schema. The upper bound is negated, so that a larger number is stricter for
 * lower and upper bounds.
 */
function boundOf(schema: JsonSchema, { sign, inclusive, exclusive }: Side): Bound {
  const inclusiveAt = numberOf(schema, inclusive);
  const exclusiveAt = numberOf(schema, exclusive);
  const isWhole = schema.type === 'integer';
  const candidates = [
    ...(inclusiveAt === undefined ? [] : [{ at: inclusiveAt * sign, isInclusive: true }]),
    ...(exclusiveAt === undefined ? [] : [{ at: exclusiveAt * sign, isInclusive: false }]),
  ].map(({ at, isInclusive }) => {
    if (!isWhole) return { at, isInclusive };
    return { at: isInclusive ? Math.ceil(at) : Math.floor(at) + 1, isInclusive: true };
  });
  return candidates.reduce((a, b) => (isNarrower(b, a) ? b : a), {
    at: Number.NEGATIVE_INFINITY,
    isInclusive: true,
  });
}

const isNarrower = (a: Bound, b: Bound): boolean =>
  a.at > b.at || (a.at === b.at && !a.isInclusive && b.isInclusive);

function textOf({ at, isInclusive }: Bound, sign: number): string {
  if (!Number.isFinite(at)) return 'any';
  if (isInclusive) return String(at * sign);
  return `${sign > 0 ? 'above' : 'below'} ${at * sign}`;
}

function compareNumbers(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  return NUMBERS.flatMap((side) => {
    const [was, is] = [boundOf(before, side), boundOf(after, side)];
    if (was.at === is.at && was.isInclusive === is.isInclusive) return [];
    const reason = `the ${side.word} number changed from ${textOf(was, side.sign)} to ${textOf(is, side.sign)}`;
    return finding(context, isNarrower(is, was) ? 'narrower' : 'wider', reason);
  });
}

const SIZES = [
  { keyword: 'minLength', absent: 0, sign: 1, reason: 'the minimum number of characters' },
  {
    keyword: 'maxLength',
    absent: Number.POSITIVE_INFINITY,
    sign: -1,
    reason: 'the maximum number of characters',
  },
  { keyword: 'minItems', absent: 0, sign: 1, reason: 'the minimum number of items' },
  { keyword: 'maxItems', absent: Number.POSITIVE_INFINITY, sign: -1, reason: 'the maximum number of items' },
  { keyword: 'minProperties', absent: 0, sign: 1, reason: 'the minimum number of fields' },
  {
    keyword: 'maxProperties',
    absent: Number.POSITIVE_INFINITY,
    sign: -1,
    reason: 'the maximum number of fields',
  },
] as const;

function compareSizes(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  return SIZES.flatMap(({ keyword, absent, sign, reason }) => {
    const was = numberOf(before, keyword) ?? absent;
    const is = numberOf(after, keyword) ?? absent;
    if (was === is) return [];
    const text = (size: number) => (Number.isFinite(size) ? String(size) : 'unbounded');
    const message = `${reason} changed from ${text(was)} to ${text(is)}`;
    return finding(context, is * sign > was * sign ? 'narrower' : 'wider', message);
  });
}

function compareSteps(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const was = numberOf(before, 'multipleOf');
  const is = numberOf(after, 'multipleOf');
  if (was === is) return [];
  const reason = `multipleOf changed from ${was ?? 'absent'} to ${is ?? 'absent'}`;
  if (is === undefined) return [finding(context, 'wider', reason)];
  if (was === undefined || is % was === 0) return [finding(context, 'narrower', reason)];
  return [finding(context, was % is === 0 ? 'wider' : 'changed', reason)];
}

/** Functions that compare the limits of numbers, texts, lists and objects in two schemas. */
export const BOUND_COMPARISONS: readonly Compare[] = [compareNumbers, compareSizes, compareSteps];

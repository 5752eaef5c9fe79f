import type { JsonSchema } from '@svc/catalog';
import { type Compare, type Finding, finding, type Place } from './effect.js';

/**
 * Lower or upper bound of a number in a schema. An exclusive bound of integers is converted to the next integer, which
 * is inclusive.
 */
interface Bound {
  readonly at: number;
  readonly isReached: boolean;
}

const numberOf = (schema: JsonSchema, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
};

const NUMBERS = [
  { word: 'smallest', sign: 1, reached: 'minimum', open: 'exclusiveMinimum' },
  { word: 'largest', sign: -1, reached: 'maximum', open: 'exclusiveMaximum' },
] as const;
type Side = (typeof NUMBERS)[number];

/**
 * Returns the lower or the upper bound in a schema. The upper bound is negated, so that a larger number is stricter for
 * lower and upper bounds.
 */
function boundOf(schema: JsonSchema, { sign, reached, open }: Side): Bound {
  const reachedAt = numberOf(schema, reached);
  const openAt = numberOf(schema, open);
  const isWhole = schema.type === 'integer';
  const candidates = [
    ...(reachedAt === undefined ? [] : [{ at: reachedAt * sign, isReached: true }]),
    ...(openAt === undefined ? [] : [{ at: openAt * sign, isReached: false }]),
  ].map(({ at, isReached }) => {
    if (!isWhole) return { at, isReached };
    return { at: isReached ? Math.ceil(at) : Math.floor(at) + 1, isReached: true };
  });
  return candidates.reduce((a, b) => (isNarrower(b, a) ? b : a), {
    at: Number.NEGATIVE_INFINITY,
    isReached: true,
  });
}

const isNarrower = (a: Bound, b: Bound): boolean =>
  a.at > b.at || (a.at === b.at && !a.isReached && b.isReached);

function textOf({ at, isReached }: Bound, sign: number): string {
  if (!Number.isFinite(at)) return 'any';
  if (isReached) return String(at * sign);
  return `${sign > 0 ? 'above' : 'below'} ${at * sign}`;
}

function compareNumbers(before: JsonSchema, after: JsonSchema, place: Place): readonly Finding[] {
  return NUMBERS.flatMap((side) => {
    const [was, is] = [boundOf(before, side), boundOf(after, side)];
    if (was.at === is.at && was.isReached === is.isReached) return [];
    const reason = `the ${side.word} number changed from ${textOf(was, side.sign)} to ${textOf(is, side.sign)}`;
    return finding(place, isNarrower(is, was) ? 'narrower' : 'wider', reason);
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

function compareSizes(before: JsonSchema, after: JsonSchema, place: Place): readonly Finding[] {
  return SIZES.flatMap(({ keyword, absent, sign, reason }) => {
    const was = numberOf(before, keyword) ?? absent;
    const is = numberOf(after, keyword) ?? absent;
    if (was === is) return [];
    const text = (size: number) => (Number.isFinite(size) ? String(size) : 'unbounded');
    const told = `${reason} changed from ${text(was)} to ${text(is)}`;
    return finding(place, is * sign > was * sign ? 'narrower' : 'wider', told);
  });
}

function compareSteps(before: JsonSchema, after: JsonSchema, place: Place): readonly Finding[] {
  const was = numberOf(before, 'multipleOf');
  const is = numberOf(after, 'multipleOf');
  if (was === is) return [];
  const reason = `multipleOf changed from ${was ?? 'absent'} to ${is ?? 'absent'}`;
  if (is === undefined) return [finding(place, 'wider', reason)];
  if (was === undefined || is % was === 0) return [finding(place, 'narrower', reason)];
  return [finding(place, was % is === 0 ? 'wider' : 'changed', reason)];
}

/** Functions that compare the limits of numbers, texts, lists and objects in two schemas. */
export const BOUND_COMPARISONS: readonly Compare[] = [compareNumbers, compareSizes, compareSteps];

import type { JsonSchema } from '@svc/catalog';
import { type Compare, type Comparison, type Finding, finding } from './effect.js';
import { canonicalText, isSameJson } from './json-hash.js';

const quoted = (values: readonly string[]): string => values.join(', ');

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/**
 * Returns the JSON types that a schema accepts: those of its `enum` or `const` values if present. Undefined if it
 * accepts all types.
 */
function typesOf({ type, enum: values, const: only }: JsonSchema): readonly string[] | undefined {
  const listed = only === undefined ? values : [only];
  if (listed !== undefined) return [...new Set(listed.map(typeOf))];
  return type === undefined ? undefined : [type].flat();
}

const covers = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** Checks whether the released and the current schema have no JSON type in common. */
export function haveNothingInCommon(before: JsonSchema, after: JsonSchema): boolean {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (was === undefined || is === undefined) return false;
  return !was.some((type) => covers(is, type)) && !is.some((type) => covers(was, type));
}

export function compareTypes(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (was === undefined || is === undefined) {
    if (was === is) return [];
    return is === undefined
      ? [finding(context, 'wider', 'any type is now allowed')]
      : [finding(context, 'narrower', `only the type ${quoted(is)} is now allowed`)];
  }
  const removed = was.filter((type) => !covers(is, type));
  const added = is.filter((type) => !covers(was, type));
  return [
    ...(removed.length > 0
      ? [finding(context, 'narrower', `the type ${quoted(removed)} is no longer allowed`)]
      : []),
    ...(added.length > 0 ? [finding(context, 'wider', `the type ${quoted(added)} is now allowed`)] : []),
  ];
}

/** Returns the only values that a schema allows, as JSON texts. Undefined if the schema has no `enum` or `const`. */
function valuesOf(schema: JsonSchema): readonly string[] | undefined {
  if (schema.const !== undefined) return [canonicalText(schema.const)];
  return schema.enum?.map(canonicalText);
}

/**
 * Checks whether the generated type of an `enum` accepts further texts. Output types do, because an upstream may add
 * values.
 */
const isOpenList = ({ enum: values, const: only }: JsonSchema, { direction }: Comparison): boolean =>
  direction === 'output' && only === undefined && values?.some((value) => typeof value === 'string') === true;

export function compareListedValues(
  before: JsonSchema,
  after: JsonSchema,
  context: Comparison,
): readonly Finding[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const isOpen = isOpenList(before, context);
  if (was === undefined)
    return is === undefined
      ? []
      : [finding(context, 'narrower', `only these values are now allowed: ${quoted(is)}`)];
  if (is === undefined) {
    const isStillText = before.type !== undefined || after.type === 'string';
    const effect = isOpen && isStillText ? 'additive' : 'wider';
    return [finding(context, effect, `other values than these are now allowed: ${quoted(was)}`)];
  }
  const removed = was.filter((value) => !is.includes(value));
  const added = is.filter((value) => !was.includes(value));
  const effect = isOpen && added.every(isText) ? 'additive' : 'wider';
  return [
    ...(removed.length > 0
      ? [finding(context, 'narrower', `the value ${quoted(removed)} is no longer allowed`)]
      : []),
    ...(added.length > 0 ? [finding(context, effect, `the value ${quoted(added)} is now allowed`)] : []),
  ];
}

const isText = (value: string): boolean => value.startsWith('"');

/** Pairs of string formats. The second format accepts everything that the first accepts, and more. */
const FORMAT_RANGES = [
  ['uuid', 'uuid-shape'],
  ['date-time', 'iso-date-time'],
  ['date-time', 'date-or-time'],
  ['date', 'date-or-time'],
] as const;

function compareFormats(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before.format, after.format];
  if (was === is) return [];
  const reason = `the format changed from ${was ?? 'none'} to ${is ?? 'none'}`;
  const isWithin = (part: string | undefined, whole: string | undefined) =>
    whole === undefined || FORMAT_RANGES.some(([small, large]) => small === part && large === whole);
  if (isWithin(was, is)) return [finding(context, 'wider', reason)];
  return [finding(context, isWithin(is, was) ? 'narrower' : 'changed', reason)];
}

function compareDefaults(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  if (isSameJson(before.default, after.default)) return [];
  const text = (value: unknown) => (value === undefined ? 'absent' : canonicalText(value));
  const reason = `the default changed from ${text(before.default)} to ${text(after.default)}`;
  return context.direction === 'output'
    ? [finding(context, 'internal', reason)]
    : [finding(context, 'breaking', `${reason}; a call without the field now behaves differently`)];
}

function compareSecrecy(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  if (before.writeOnly === after.writeOnly) return [];
  return after.writeOnly
    ? [finding(context, 'internal', 'the field is now a secret')]
    : [finding(context, 'breaking', 'the field is no longer a secret')];
}

/** Functions that compare the format, the default and the secrecy (`writeOnly`) of a value in two schemas. */
export const TRAIT_COMPARISONS: readonly Compare[] = [compareFormats, compareDefaults, compareSecrecy];

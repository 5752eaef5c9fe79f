import { isJsonObject, type JsonObject, type JsonSchema, keyGroupsOf } from '../json-schema.js';
import { pathOf, quote } from './field-path.js';

/**
 * Violation of a rule across fields, such as `exactlyOneOf`. `property` is the field that violates the rule; if absent,
 * the whole object does.
 */
export interface Breach {
  readonly property?: string;
  readonly message: string;
}

type Rule = (schema: JsonSchema, object: JsonObject, context: RuleContext) => readonly Breach[];

interface RuleContext {
  /** Returns the quoted full path of a property for an error message. */
  readonly name: (property: string) => string;
  readonly now: () => Date;
}

/**
 * Functions that validate an object against the catalogue's own keywords for rules across fields, such as
 * `exactlyOneOf`, by keyword.
 */
export const CROSS_FIELD_RULES: Readonly<Record<string, Rule>> = {
  exactlyOneOf: (schema, object, { name }) =>
    keyGroupsOf(schema.exactlyOneOf).flatMap((group) => {
      const given = group.filter((property) => isGiven(object, property));
      if (given.length === 1) return [];
      const actual = given.length === 0 ? 'none of them is given' : `${list(given, name, 'and')} are given`;
      return { message: `exactly one of ${list(group, name, 'and')} is needed, but ${actual}` };
    }),

  atMostOneOf: (schema, object, { name }) =>
    keyGroupsOf(schema.atMostOneOf).flatMap((group) => {
      const given = group.filter((property) => isGiven(object, property));
      if (given.length <= 1) return [];
      return {
        message: `only one of ${list(group, name, 'and')} may be given; leave out all but one of ${list(given, name, 'and')}`,
      };
    }),

  atLeastOneOf: (schema, object, { name }) =>
    keyGroupsOf(schema.atLeastOneOf).flatMap((group) => {
      if (group.some((property) => isGiven(object, property))) return [];
      return { message: `at least one of ${list(group, name, 'and')} is needed` };
    }),

  requiredWith: (schema, object, { name }) =>
    Object.entries(schema.requiredWith ?? {}).flatMap(([property, needed]) =>
      isGiven(object, property)
        ? missing(object, needed, (absent) => `${name(absent)} is required when ${name(property)} is given`)
        : [],
    ),

  requiredWhen: (schema, object, { name }) =>
    (schema.requiredWhen ?? []).flatMap(({ property, equals, required }) =>
      isGiven(object, property) && object[property] === equals
        ? missing(
            object,
            required,
            (absent) => `${name(absent)} is required when ${name(property)} is ${JSON.stringify(equals)}`,
          )
        : [],
    ),

  namedBy: (schema, object, { name }) =>
    Object.entries(schema.namedBy ?? {}).flatMap(([property, fields]) => {
      const field = fields.find((each) => each === object[property]);
      return field === undefined
        ? []
        : missing(object, [field], () => `${name(field)} is required, because ${name(property)} names it`);
    }),

  before: (schema, object, { name }) =>
    (schema.before ?? []).flatMap(([first, second]) => {
      const from = instantOf(object[first]);
      const to = instantOf(object[second]);
      if (from === undefined || to === undefined || from < to) return [];
      return { property: first, message: `${name(first)} must be earlier than ${name(second)}` };
    }),

  notFuture: (schema, object, { name, now }) =>
    (schema.notFuture ?? []).flatMap((property) => {
      const instant = instantOf(object[property]);
      if (instant === undefined || instant <= now().getTime()) return [];
      return {
        property,
        message: `${name(property)} must not be in the future; the current time is ${now().toISOString()}`,
      };
    }),

  withinMonths: (schema, object, { name, now }) => {
    const { months, of: pairs } = schema.withinMonths ?? { months: 0, of: [] };
    return pairs.flatMap(([first, second]) => {
      const from = instantOf(object[first]);
      const to = isGiven(object, second) ? instantOf(object[second]) : now().getTime();
      if (from === undefined || to === undefined || to < addMonths(from, months)) return [];
      const end = isGiven(object, second) ? name(second) : `now (${name(second)} is not given)`;
      return { property: first, message: `${name(first)} must be less than ${months} months before ${end}` };
    });
  },
};

/**
 * Returns how the value at a JSON pointer violates the rules of a keyword such as `exactlyOneOf`. Empty if the value is
 * not an object.
 */
export function findBreaches(
  keyword: string,
  {
    schema,
    value,
    pointer,
    now,
  }: {
    readonly schema: JsonSchema;
    readonly value: unknown;
    readonly pointer: string;
    readonly now: () => Date;
  },
): readonly Breach[] {
  if (!isJsonObject(value)) return [];
  const name = (property: string) => quote(pathOf(`${pointer}/${property}`));
  return CROSS_FIELD_RULES[keyword]?.(schema, value, { name, now }) ?? [];
}

/** Checks whether a schema has keywords for rules across its fields, such as `exactlyOneOf`. Most schemas have none. */
export const hasRules = (schema: JsonSchema): boolean =>
  Object.keys(schema).some((keyword) => Object.hasOwn(CROSS_FIELD_RULES, keyword));

function isGiven(object: JsonObject, property: string): boolean {
  return Object.hasOwn(object, property);
}

function missing(
  object: JsonObject,
  needed: readonly string[],
  message: (absent: string) => string,
): readonly Breach[] {
  return needed
    .filter((property) => !isGiven(object, property))
    .map((property) => ({ property, message: message(property) }));
}

function list(properties: readonly string[], name: RuleContext['name'], word: 'and' | 'or'): string {
  return joinWords(properties.map(name), word);
}

/** Joins words for a sentence: `a`, `a and b`, or `a, b and c`. */
export function joinWords(words: readonly string[], word: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${word} ${words.at(-1)}`;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UTC_DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * Converts a time to epoch milliseconds. Accepts RFC 3339 times, and `YYYY-MM-DD` and `YYYY-MM-DD HH:MM:SS` in UTC.
 * Undefined for other values.
 */
function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = UTC_DATE_TIME.test(value) ? `${value.replace(' ', 'T')}Z` : value;
  if (!DATE.test(text) && !RFC_3339.test(text)) return undefined;
  const instant = Date.parse(text.toUpperCase());
  return Number.isNaN(instant) ? undefined : instant;
}

/** Adds calendar months (UTC) to a time in epoch milliseconds. Uses the last day of a month that lacks the day. */
function addMonths(instant: number, months: number): number {
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

import type { JsonSchema } from '@svc/catalog';
import {
  type Compare,
  type Comparison,
  type Definitions,
  type Finding,
  finding,
  opposite,
  within,
} from './effect.js';
import { canonicalText, isSameJson } from './json-hash.js';
import { wholeText } from './schema-shape.js';

/** Schema keywords whose value is a list of rules. Each additional rule in the list rejects more values. */
const LISTS = ['before', 'notFuture'] as const;

function compareLists(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const textsOf = (list: unknown) => (Array.isArray(list) ? list.map(canonicalText) : []);
  return LISTS.flatMap((keyword) => {
    const [was, is] = [textsOf(before[keyword]), textsOf(after[keyword])];
    const added = is.filter((rule) => !was.includes(rule));
    const removed = was.filter((rule) => !is.includes(rule));
    return [
      ...added.map((rule) => finding(context, 'narrower', `the rule ${keyword} ${rule} was added`)),
      ...removed.map((rule) => finding(context, 'wider', `the rule ${keyword} ${rule} was removed`)),
    ];
  });
}

/**
 * Compares the `namedBy` keyword, which makes a property contain the name of another property. Output types allow
 * access to the named property only after a check of the naming property.
 */
function compareNames(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const pairsOf = ({ namedBy = {} }: JsonSchema) =>
    Object.entries(namedBy).flatMap(([naming, fields]) => fields.map((field) => ({ naming, field })));
  const [was, is] = [pairsOf(before), pairsOf(after)];
  const isIn = (pairs: typeof was, pair: (typeof was)[number]) =>
    pairs.some((each) => isSameJson(each, pair));
  const isMoved = (field: string) =>
    context.direction === 'output' && before.properties?.[field] !== undefined;
  return [
    ...is
      .filter((pair) => !isIn(was, pair))
      .map(({ naming, field }) =>
        finding(
          within(context, field),
          isMoved(field) ? 'breaking' : 'narrower',
          `${naming} can now name this field`,
        ),
      ),
    ...was
      .filter((pair) => !isIn(is, pair))
      .map(({ naming, field }) =>
        finding(within(context, field), 'wider', `${naming} can no longer name this field`),
      ),
  ];
}

function compareMonths(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before.withinMonths, after.withinMonths];
  if (isSameJson(was, is)) return [];
  if (is === undefined) return [finding(context, 'wider', 'the rule withinMonths was removed')];
  if (was === undefined) return [finding(context, 'narrower', 'the rule withinMonths was added')];
  const reason = `withinMonths changed from ${canonicalText(was)} to ${canonicalText(is)}`;
  if (!isSameJson(was.of, is.of)) return [finding(context, 'changed', reason)];
  return [finding(context, is.months < was.months ? 'narrower' : 'wider', reason)];
}

const isSameWhole = (was: unknown, is: unknown, { before, after }: Comparison): boolean =>
  wholeText(was, before) === wholeText(is, after);

/** Compares schema keywords that no other function compares. Assumes that each of them only rejects values. */
function compareConditions(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)].filter((key) => !KNOWN.has(key)));
  return [...keywords].flatMap((keyword) => {
    const [was, is] = [before[keyword], after[keyword]];
    if (isSameWhole(was, is, context)) return [];
    if (was === undefined || was === false) return [finding(context, 'narrower', `${keyword} was added`)];
    if (is === undefined || is === false) return [finding(context, 'wider', `${keyword} was removed`)];
    return [finding(context, 'changed', `${keyword} changed`)];
  });
}

/** Schema keywords that other functions compare. */
const KNOWN = new Set([
  ...['$ref', '$defs', 'type', 'enum', 'const', 'format', 'default', 'writeOnly', 'properties'],
  ...['additionalProperties', 'required', 'exactlyOneOf', 'atMostOneOf', 'requiredWith', 'requiredWhen'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'items', 'prefixItems', 'patternProperties'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'atLeastOneOf', 'namedBy'],
  ...['if', 'then', 'else', 'before', 'notFuture', 'withinMonths'],
]);

function compareConditional(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const part = (schema: JsonSchema, keyword: string) => schema[keyword] as JsonSchema | undefined;
  const [was, is] = [part(before, 'if'), part(after, 'if')];
  if (was === undefined && is === undefined) return [];
  if (was === undefined) return [finding(context, 'narrower', 'a condition was added')];
  if (is === undefined) return [finding(context, 'wider', 'a condition was removed')];
  if (!isSameWhole(was, is, context)) return [finding(context, 'changed', 'a condition changed')];
  return ['then', 'else'].flatMap((keyword) =>
    context.compare(part(before, keyword) ?? true, part(after, keyword) ?? true, within(context, keyword)),
  );
}

function compareNot(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [was, is] = [before['not'], after['not']] as (JsonSchema | undefined)[];
  if (was === undefined)
    return is === undefined
      ? []
      : [finding(context, 'narrower', 'not was added, so more values are refused')];
  if (is === undefined) return [finding(context, 'wider', 'not was removed, so fewer values are refused')];
  // Swaps the two sets of already compared schemas, because differences inside `not` have the opposite effect.
  const negated = { ...within(context, 'not'), seen: context.seenNegated, seenNegated: context.seen };
  return context.compare(was, is, negated).map(opposite);
}

function compareAll(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const [wasAll, isAll] = [before.allOf ?? [], after.allOf ?? []];
  const isIn = (parts: readonly JsonSchema[], definitions: Definitions) => {
    const texts = new Set(parts.map((part) => wholeText(part, definitions)));
    return (part: JsonSchema, own: Definitions) => texts.has(wholeText(part, own));
  };
  const [stays, stayed] = [isIn(isAll, context.after), isIn(wasAll, context.before)];
  const was = wasAll.filter((part) => !stays(part, context.before));
  const is = isAll.filter((part) => !stayed(part, context.after));
  return Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
    context.compare(was[index] ?? true, is[index] ?? true, within(context, `allOf[${index}]`)),
  ).flat();
}

/** Functions that compare the rules across properties, the conditions and the unknown keywords of two schemas. */
export const RULE_COMPARISONS: readonly Compare[] = [
  compareLists,
  compareNames,
  compareMonths,
  compareConditions,
  compareConditional,
  compareNot,
  compareAll,
];

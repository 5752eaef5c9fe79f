import { isJsonObject, type JsonSchema } from '@svc/catalog';
import type { Direction } from '../print-type.js';
import type { Change } from './change.js';
import { BOUND_COMPARISONS } from './compare-bounds.js';
import { compareObjects } from './compare-objects.js';
import { comparePresence } from './compare-presence.js';
import { RULE_COMPARISONS } from './compare-rules.js';
import { compareUnions, unionOf } from './compare-unions.js';
import {
  compareListedValues,
  compareTypes,
  haveNothingInCommon,
  TRAIT_COMPARISONS,
} from './compare-values.js';
import { type Compare, type Comparison, type Definitions, type Finding, finding, levelOf } from './effect.js';
import { canonicalText } from './json-hash.js';
import { schemaShape } from './schema-shape.js';

type Schema = JsonSchema | boolean;

/**
 * Compares the released and the current JSON Schema of a tool's input or output, and returns the changes. Ignores
 * descriptions. Both schemas must be self-contained: `$ref` points to a definition in the same schema.
 */
export function compareSchemas(before: Schema, after: Schema, direction: Direction): readonly Change[] {
  const [was, is] = [schemaShape(before), schemaShape(after)];
  const context = {
    direction,
    path: [direction],
    before: definitionsIn(was),
    after: definitionsIn(is),
    seen: new Set<string>(),
    seenNegated: new Set<string>(),
    compare,
  };
  return compare(was, is, context).map(({ effect, path, reason }) => ({
    level: levelOf(effect, direction),
    where: path.join('.'),
    reason,
  }));
}

const definitionsIn = (schema: Schema): Definitions =>
  isJsonObject(schema) ? ((schema as JsonSchema).$defs ?? {}) : {};

function compare(before: Schema, after: Schema, context: Comparison): readonly Finding[] {
  const [was, is] = [split(before), split(after)];
  if (was.$ref === undefined && is.$ref === undefined) return compareOwn(was.own, is.own, context);
  if (was.$ref !== undefined && is.$ref !== undefined)
    return [
      ...compareOnce(was.$ref, is.$ref, context),
      ...(hasKeywords(was.own) || hasKeywords(is.own) ? compareOwn(was.own, is.own, context) : []),
    ];
  return compareOnce(before, after, context);
}

/** Separates a schema's `$ref` from its sibling keywords, which apply together with it. */
function split(schema: Schema): { readonly $ref?: string; readonly own: JsonSchema | false } {
  if (typeof schema === 'boolean') return { own: schema ? {} : false };
  const { $ref, $defs: _, ...own } = schema;
  return $ref === undefined ? { own } : { $ref, own };
}

const hasKeywords = (schema: JsonSchema | false): boolean =>
  schema === false || Object.keys(schema).length > 0;

/** Schema keywords that do not affect the comparison of other keywords. */
const APART = ['default', 'writeOnly'];

type Referring = Schema | string;

/** Compares each pair of referenced schemas only once, because a shared schema may refer to itself. */
function compareOnce(before: Referring, after: Referring, context: Comparison) {
  const pair = canonicalText([before, after]);
  if (context.seen.has(pair)) return [];
  context.seen.add(pair);
  return compare(follow(before, context.before), follow(after, context.after), context);
}

/** Resolves the `$ref` of a schema. If the `$ref` has sibling keywords, combines them with the target. */
function follow(referring: Referring, definitions: Definitions): Schema {
  if (typeof referring === 'string') return definitions[referring.replace('#/$defs/', '')] ?? true;
  const { $ref, own } = split(referring);
  if ($ref === undefined) return own;
  const target = follow($ref, definitions);
  if (!hasKeywords(own)) return target;
  const isPlain = isJsonObject(target) && Object.keys(own).every((keyword) => APART.includes(keyword));
  return isPlain ? { ...target, ...own } : { allOf: [target, own] as JsonSchema[] };
}

function compareOwn(was: JsonSchema | false, is: JsonSchema | false, context: Comparison) {
  if (was === false || is === false) {
    if (was === is) return [];
    return is === false
      ? [finding(context, 'narrower', 'no value is allowed any longer')]
      : [finding(context, 'wider', 'values are now allowed; before, none were')];
  }
  return compareKeywords(was, is, context);
}

const FIELDS = ['properties', 'patternProperties', 'additionalProperties'];
const ITEMS = ['items', 'prefixItems'];

const saysAny = (schemas: readonly JsonSchema[], keywords: readonly string[]): boolean =>
  schemas.some((schema) => keywords.some((keyword) => schema[keyword] !== undefined));

function compareKeywords(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  if (unionOf(before) !== undefined || unionOf(after) !== undefined)
    return compareUnions(before, after, context);
  const all = (comparisons: readonly Compare[]) =>
    comparisons.flatMap((compareIt) => compareIt(before, after, context));
  const ofValues = all([compareTypes, compareListedValues]);
  if (haveNothingInCommon(before, after)) return ofValues;
  return [
    ...ofValues,
    ...all([...TRAIT_COMPARISONS, ...BOUND_COMPARISONS, comparePresence]),
    ...(saysAny([before, after], FIELDS) ? compareObjects(before, after, context) : []),
    ...(saysAny([before, after], ITEMS) ? compareItems(before, after, context) : []),
    ...all(RULE_COMPARISONS),
  ];
}

/** Compares the item schemas of lists: those of `prefixItems` by position, then `items` for all other positions. */
function compareItems(before: JsonSchema, after: JsonSchema, context: Comparison): readonly Finding[] {
  const listOf = ({ prefixItems }: JsonSchema): readonly Schema[] =>
    Array.isArray(prefixItems) ? prefixItems : [];
  const [was, is] = [listOf(before), listOf(after)];
  const [last = '', ...first] = [...context.path].reverse();
  const at = (index: number | '') => ({ ...context, path: [...[...first].reverse(), `${last}[${index}]`] });
  const [wasOthers, isOthers] = [before.items ?? true, after.items ?? true];
  const placed = Array.from({ length: Math.max(was.length, is.length) }, (_, index) =>
    compare(was[index] ?? wasOthers, is[index] ?? isOthers, at(index)),
  );
  return [...placed.flat(), ...compare(wasOthers, isOthers, at(''))];
}

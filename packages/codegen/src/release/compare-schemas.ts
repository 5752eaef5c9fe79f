import { isJsonObject, type JsonSchema } from '@svc/catalog';
import type { Change } from './change.js';
import { compareBounds } from './compare-bounds.js';
import { compareObjects } from './compare-objects.js';
import { comparePresence } from './compare-presence.js';
import { compareRules } from './compare-rules.js';
import { compareUnions, unionOf } from './compare-unions.js';
import { compareListedValues, compareTraits, compareTypes, haveNothingInCommon } from './compare-values.js';
import { type Compare, type Definitions, type Direction, finding, levelOf, type Place } from './effect.js';
import { schemaShape } from './schema-shape.js';

type Schema = JsonSchema | boolean;

/** What became of a self-contained schema, and what that means for values that go this way. Words make no difference. */
export function compareSchemas(before: Schema, after: Schema, direction: Direction): readonly Change[] {
  const [was, is] = [schemaShape(before), schemaShape(after)];
  const place = {
    direction,
    path: [direction],
    before: definitionsIn(was),
    after: definitionsIn(is),
    open: [],
  };
  return compare(was, is, place).map(({ effect, path, reason }) => ({
    level: levelOf(effect, direction),
    where: path.join('.'),
    reason,
  }));
}

const definitionsIn = (schema: Schema): Definitions =>
  isJsonObject(schema) ? ((schema as JsonSchema).$defs ?? {}) : {};

const compare: Compare = (before, after, place) => {
  const pair = [before, after].map(referenceIn).join(' ');
  if (pair !== ' ' && place.open.includes(pair)) return [];
  const [was, is] = [follow(before, place.before), follow(after, place.after)];
  if (was === false || is === false) {
    if (was === is) return [];
    return is === false
      ? [finding(place, 'narrower', 'nothing fits any more')]
      : [finding(place, 'wider', 'it was never there before')];
  }
  const at = pair === ' ' ? place : { ...place, open: [...place.open, pair] };
  return compareKeywords(was, is, at);
};

const referenceIn = (schema: Schema): string => (typeof schema === 'boolean' ? '' : (schema.$ref ?? ''));

/** What a reference stands for; true and {} are the same. */
function follow(schema: Schema, definitions: Definitions): JsonSchema | false {
  if (typeof schema === 'boolean') return schema ? {} : false;
  const { $ref, $defs: _, ...own } = schema;
  const target = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')];
  return target === undefined ? own : { ...(follow(target, definitions) || {}), ...own };
}

function compareKeywords(before: JsonSchema, after: JsonSchema, place: Place) {
  const at = { place, compare };
  if (unionOf(before) !== undefined || unionOf(after) !== undefined) return compareUnions(before, after, at);
  const ofValues = [compareTypes, compareListedValues].flatMap((find) => find(before, after, place));
  if (haveNothingInCommon(before, after)) return ofValues;
  return [
    ...ofValues,
    ...[compareTraits, compareBounds, comparePresence].flatMap((find) => find(before, after, place)),
    ...((before.properties ??
      after.properties ??
      before.additionalProperties ??
      after.additionalProperties) === undefined
      ? []
      : compareObjects(before, after, at)),
    ...compareItems(before, after, place),
    ...compareRules(before, after, at),
  ];
}

function compareItems(before: JsonSchema, after: JsonSchema, place: Place) {
  if (before.items === undefined && after.items === undefined) return [];
  const [last = '', ...first] = [...place.path].reverse();
  return compare(before.items ?? true, after.items ?? true, {
    ...place,
    path: [...first.reverse(), `${last}[]`],
  });
}

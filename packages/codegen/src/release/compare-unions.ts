import type { JsonSchema } from '@svc/catalog';
import { type Comparison, type Finding, finding, within } from './effect.js';
import { canonicalText } from './json-hash.js';
import { wholeText } from './schema-shape.js';

interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly JsonSchema[];
  /** Schema without `anyOf` or `oneOf`. */
  readonly rest: JsonSchema;
}

/**
 * Returns the union branches of a schema (`anyOf` or `oneOf`), and its other keywords. Undefined for a schema without a
 * union.
 */
export function unionOf(schema: JsonSchema): Union | undefined {
  const { anyOf, oneOf, ...rest } = schema;
  if (anyOf !== undefined)
    return { keyword: 'anyOf', branches: anyOf, rest: oneOf === undefined ? rest : { ...rest, oneOf } };
  return oneOf === undefined ? undefined : { keyword: 'oneOf', branches: oneOf, rest };
}

/** Splits a schema with several values in `type` into one union branch for each type. */
const asBranches = (schema: JsonSchema): readonly JsonSchema[] =>
  Array.isArray(schema.type) && schema.type.length > 1
    ? schema.type.map((type: string) => ({ ...schema, type }))
    : [schema];

/** Compares two schemas, at least one of which is a union (`anyOf` or `oneOf`). */
export function compareUnions(
  before: JsonSchema,
  after: JsonSchema,
  context: Comparison,
): readonly Finding[] {
  const [was, is] = [unionOf(before), unionOf(after)];
  if (was !== undefined && is !== undefined)
    return [
      ...compareKinds(was, is, context),
      ...context.compare(was.rest, is.rest, context),
      ...compareBranches(was.branches, is.branches, context),
    ];
  if (is !== undefined)
    return Object.keys(is.rest).length === 0
      ? compareBranches(asBranches(before), is.branches, context)
      : [
          ...context.compare(before, is.rest, context),
          finding(context, 'narrower', 'the value must now match a branch of a union'),
        ];
  if (was === undefined) return [];
  return Object.keys(was.rest).length === 0
    ? compareBranches(was.branches, asBranches(after), context)
    : [
        ...context.compare(was.rest, after, context),
        finding(context, 'wider', 'the value no longer has to match a branch of a union'),
      ];
}

function compareKinds(was: Union, is: Union, context: Comparison): readonly Finding[] {
  if (was.keyword === is.keyword) return [];
  return was.keyword === 'oneOf'
    ? [finding(context, 'wider', 'the value may now match several branches')]
    : [finding(context, 'narrower', 'the value may now match only one branch')];
}

/**
 * Returns the tag by which changed union branches are paired: a reference, a constant, a property with a constant
 * value, or the type.
 */
function tagOf(branch: JsonSchema): string {
  if (branch.$ref !== undefined) return branch.$ref;
  if (branch.const !== undefined) return canonicalText(branch.const);
  const marks = Object.entries(branch.properties ?? {}).filter(([, field]) => field.const !== undefined);
  if (marks.length > 0) return canonicalText(marks.map(([name, field]) => [name, field.const]));
  return canonicalText([branch.type, branch.enum, branch.format, branch.required]);
}

interface Pairs {
  readonly pairs: readonly (readonly [JsonSchema, JsonSchema])[];
  readonly removed: readonly JsonSchema[];
  readonly added: readonly JsonSchema[];
}

/** Pairs each changed branch of the released union with the first branch of the current union that has an equal tag. */
function pairUp(
  all: readonly JsonSchema[],
  allNow: readonly JsonSchema[],
  { before, after }: Comparison,
): Pairs {
  const texts = allNow.map((branch) => wholeText(branch, after));
  const old = all.filter((branch) => {
    const index = texts.indexOf(wholeText(branch, before));
    if (index !== -1) delete texts[index];
    return index === -1;
  });
  const left = allNow.filter((_, index) => texts[index] !== undefined);
  const removed: JsonSchema[] = [];
  const pairs = old.flatMap((branch): [JsonSchema, JsonSchema][] => {
    const index = left.findIndex((other) => tagOf(other) === tagOf(branch));
    const [match] = index === -1 ? [] : left.splice(index, 1);
    if (match === undefined) removed.push(branch);
    return match === undefined ? [] : [[branch, match]];
  });
  const [lastRemoved, lastAdded] = [removed[0], left[0]];
  // Pairs the last unpaired branch of each union, because a single remaining branch has only changed its tag.
  return removed.length === 1 && left.length === 1 && lastRemoved && lastAdded
    ? { pairs: [...pairs, [lastRemoved, lastAdded]], removed: [], added: [] }
    : { pairs, removed, added: left };
}

function compareBranches(
  old: readonly JsonSchema[],
  now: readonly JsonSchema[],
  context: Comparison,
): readonly Finding[] {
  const { pairs, removed, added } = pairUp(old, now, context);
  return [
    ...pairs.flatMap(([was, is]) => context.compare(was, is, within(context, `(${labelOf(was)})`))),
    ...removed.map((branch) => finding(context, 'narrower', `${labelOf(branch)} is no longer allowed`)),
    ...added.map((branch) => finding(context, 'wider', `${labelOf(branch)} is now allowed`)),
  ];
}

function labelOf(branch: JsonSchema): string {
  if (branch.$ref !== undefined) return branch.$ref.replace('#/$defs/', '');
  const mark = Object.entries(branch.properties ?? {}).find(([, field]) => field.const !== undefined);
  if (mark !== undefined) return `${mark[0]}=${JSON.stringify(mark[1].const)}`;
  return branch.const === undefined
    ? [branch.type ?? 'a branch'].flat().join('|')
    : JSON.stringify(branch.const);
}

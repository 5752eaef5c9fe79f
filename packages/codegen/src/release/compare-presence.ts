import { flagsOf, type JsonSchema, keyGroupsOf } from '@svc/catalog';
import { type Comparison, type Finding, finding } from './effect.js';
import { isSameJson } from './json-hash.js';

// Compares rules about combinations of properties, such as `exactlyOneOf`, by trying all combinations. The result is
// exact, even if a schema expresses an equal rule with other keywords.

const RULES = [
  'required',
  'exactlyOneOf',
  'atMostOneOf',
  'atLeastOneOf',
  'requiredWith',
  'requiredWhen',
] as const;
const MOST_CASES = 50_000;
/** Placeholder for all values of a property that no `requiredWhen` rule names. */
const OTHER = Symbol('other');

type Given = ReadonlyMap<string, unknown>;

/** Compares which combinations of properties the released and the current object schema allow. */
export function comparePresence(
  before: JsonSchema,
  after: JsonSchema,
  context: Comparison,
): readonly Finding[] {
  if (RULES.every((rule) => isSameJson(before[rule], after[rule]))) return [];
  const differences = compareCases(before, after, context);
  if (differences !== undefined) return differences;
  const isAlone = (name: string) =>
    ![before, after].some((schema) => namesIn({ ...schema, required: [] }).includes(name));
  const alone = ({ required = [] }: JsonSchema) => required.filter(isAlone);
  const others = ({ required = [], ...rest }: JsonSchema) => ({
    ...rest,
    required: required.filter((name) => !isAlone(name)),
  });
  const ofOthers = compareCases(others(before), others(after), context) ?? [
    finding(context, 'changed', 'the rules about fields that are given together changed'),
  ];
  return [...compareAlone(alone(before), alone(after), context), ...ofOthers];
}

/** Compares required properties that no rule such as `exactlyOneOf` in either schema mentions. */
function compareAlone(
  was: readonly string[],
  is: readonly string[],
  context: Comparison,
): readonly Finding[] {
  const missing = (names: readonly string[]) => `an object without ${names.join(', ')}`;
  const added = is.filter((name) => !was.includes(name));
  const dropped = was.filter((name) => !is.includes(name));
  return [
    ...(added.length > 0 ? [finding(context, 'narrower', `${missing(added)} is now refused`)] : []),
    ...(dropped.length > 0 ? [finding(context, 'wider', `${missing(dropped)} is now accepted`)] : []),
  ];
}

/**
 * Compares the released and the current object schema for every combination of the properties in their rules. Undefined
 * if there are too many combinations.
 */
function compareCases(
  before: JsonSchema,
  after: JsonSchema,
  context: Comparison,
): readonly Finding[] | undefined {
  const names = [...new Set([before, after].flatMap(namesIn))].sort();
  const [wasFlag, isFlag] = [flagsIn(before, context), flagsIn(after, context)];
  const choices = names.map((name) => [
    undefined,
    ...valuesOf(name, before, after),
    ...(wasFlag.has(name) || isFlag.has(name) ? [false] : []),
  ]);
  if (choices.reduce((total, { length }) => total * length, 1) > MOST_CASES) return undefined;
  const cases = combine(names, choices).filter((given) => isKnown(given, before) && isKnown(given, after));
  const wasAllowed = (given: Given) => isAllowed(chosen(given, wasFlag), before);
  const isAllowedNow = (given: Given) => isAllowed(chosen(given, isFlag), after);
  const refused = cases.find((given) => wasAllowed(given) && !isAllowedNow(given));
  const accepted = cases.find((given) => !wasAllowed(given) && isAllowedNow(given));
  return [
    ...(refused === undefined ? [] : [finding(context, 'narrower', `${describe(refused)} is now refused`)]),
    ...(accepted === undefined ? [] : [finding(context, 'wider', `${describe(accepted)} is now accepted`)]),
  ];
}

/** Returns the boolean flags of a tool's top-level input. For flags, false counts as absent. */
const flagsIn = (schema: JsonSchema, { direction, path }: Comparison): ReadonlySet<string> =>
  direction === 'input' && path.length === 1 ? flagsOf(schema) : new Set();

const chosen = (given: Given, flags: ReadonlySet<string>): Given =>
  new Map([...given].filter(([name, value]) => value !== false || !flags.has(name)));

function describe(given: Given): string {
  const fields = [...given].map(([name, value]) =>
    value === OTHER ? name : `${name}=${JSON.stringify(value)}`,
  );
  return fields.length === 0
    ? 'an object without any of these fields'
    : `an object with ${fields.join(', ')}`;
}

function namesIn(schema: JsonSchema): readonly string[] {
  return [
    ...(schema.required ?? []),
    ...keyGroupsOf(schema.exactlyOneOf).flat(),
    ...keyGroupsOf(schema.atMostOneOf).flat(),
    ...keyGroupsOf(schema.atLeastOneOf).flat(),
    ...Object.entries(schema.requiredWith ?? {}).flatMap(([name, needed]) => [name, ...needed]),
    ...(schema.requiredWhen ?? []).flatMap(({ property, required }) => [property, ...required]),
  ];
}

/** Returns the values of a property that the `requiredWhen` rules name, and `OTHER` for the remaining values. */
function valuesOf(name: string, ...schemas: readonly JsonSchema[]): readonly unknown[] {
  const rules = schemas.flatMap(({ requiredWhen = [] }) => requiredWhen);
  const values = new Set(rules.filter(({ property }) => property === name).map(({ equals }) => equals));
  const field = schemas.map(({ properties }) => properties?.[name]).find((each) => each !== undefined);
  const all = field?.type === 'boolean' ? [true, false] : field?.enum;
  const hasOthers = all === undefined || all.some((value) => !values.has(value));
  return [...(hasOthers ? [OTHER] : []), ...values];
}

function combine(names: readonly string[], choices: readonly (readonly unknown[])[]): readonly Given[] {
  return names
    .reduce<readonly (readonly [string, unknown][])[]>(
      (cases, name, index) =>
        cases.flatMap((given) =>
          (choices[index] ?? []).map((value): [string, unknown][] =>
            value === undefined ? [...given] : [...given, [name, value]],
          ),
        ),
      [[]],
    )
    .map((entries) => new Map(entries));
}

/**
 * Returns false for a combination with a property that the schema forbids, because the comparison of properties already
 * reports it.
 */
const isKnown = (given: Given, { properties, additionalProperties }: JsonSchema): boolean =>
  additionalProperties !== false || [...given.keys()].every((name) => properties?.[name] !== undefined);

function isAllowed(given: Given, schema: JsonSchema): boolean {
  const count = (group: readonly string[]) => group.filter((name) => given.has(name)).length;
  const hasAll = (names: readonly string[]) => names.every((name) => given.has(name));
  return (
    hasAll(schema.required ?? []) &&
    keyGroupsOf(schema.exactlyOneOf).every((group) => count(group) === 1) &&
    keyGroupsOf(schema.atMostOneOf).every((group) => count(group) <= 1) &&
    keyGroupsOf(schema.atLeastOneOf).every((group) => count(group) >= 1) &&
    Object.entries(schema.requiredWith ?? {}).every(([name, needed]) => !given.has(name) || hasAll(needed)) &&
    (schema.requiredWhen ?? []).every(
      ({ property, equals, required }) => given.get(property) !== equals || hasAll(required),
    )
  );
}

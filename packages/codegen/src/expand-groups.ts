import { type JsonSchema, keyGroupsOf } from '@svc/catalog';

/** Variant of an object type in a generated union: the properties that it requires and those that it forbids. */
export interface Branch {
  readonly required: ReadonlySet<string>;
  readonly never: ReadonlySet<string>;
  /**
   * Property that distinguishes this variant from the other variants of the union. It becomes part of the variant's
   * type name.
   */
  readonly label: string;
}

// Maximum number of variants in a generated union type. Each property of `requiredWith` may double them. Above the
// limit, only the service checks the rule.
const MAX_BRANCHES = 16;

/**
 * Converts the rules `exactlyOneOf`, `atMostOneOf`, `atLeastOneOf` and `requiredWith` of an object to the variants of a
 * union type. Every valid object matches a variant. An object without these rules gets a single variant.
 */
export function expandGroups(schema: JsonSchema): readonly Branch[] {
  const whole: Branch = { required: new Set(schema.required), never: new Set(), label: '' };
  const exact = split([whole], keyGroupsOf(schema.exactlyOneOf), chooseExactly);
  const atMost = split(exact, keyGroupsOf(schema.atMostOneOf), chooseAtMost);
  const atLeast = split(atMost, keyGroupsOf(schema.atLeastOneOf), chooseAtLeast);
  const all = split(atLeast, Object.entries(schema.requiredWith ?? {}), splitByPresence);
  return all.length > MAX_BRANCHES ? atMost : all;
}

/**
 * Applies each rule of an object to each variant of its union type. A rule may split a variant into several or remove
 * it.
 */
function split<Rule>(
  branches: readonly Branch[],
  rules: readonly Rule[],
  apply: (branch: Branch, rule: Rule) => readonly Branch[],
): readonly Branch[] {
  return rules.reduce((left, rule) => left.flatMap((branch) => apply(branch, rule)), branches);
}

function chooseExactly(branch: Branch, group: readonly string[]): readonly Branch[] {
  return group.flatMap((key) => choose(branch, group, key, true));
}

/**
 * Returns the variant of an object type in which `key` is the only present property of a group such as `exactlyOneOf`.
 * Returns an empty list if other rules of the object forbid that.
 */
function choose(branch: Branch, group: readonly string[], key: string, isNeeded: boolean): readonly Branch[] {
  const others = group.filter((other) => other !== key);
  if (branch.never.has(key) || others.some((other) => branch.required.has(other))) return [];
  const required = isNeeded ? union(branch.required, [key]) : branch.required;
  return [{ required, never: union(branch.never, others), label: branch.label + labelOf(key) }];
}

/**
 * Returns one object type for each property of an `atMostOneOf` group, in which this property is optional and the
 * others are `never`. If another rule excludes all these properties already, returns a single object type without them.
 */
function chooseAtMost(branch: Branch, group: readonly string[]): readonly Branch[] {
  const branches = group.flatMap((key) => choose(branch, group, key, false));
  if (branches.length === 0) return [{ ...branch, never: union(branch.never, group) }];
  // A label distinguishes several variants of a type, so a single variant keeps the label that it already had.
  return branches.length === 1 ? branches.map((only) => ({ ...only, label: branch.label })) : branches;
}

/**
 * Returns a variant of the object type for each property of an `atLeastOneOf` group, in which that property is
 * required.
 */
function chooseAtLeast(branch: Branch, group: readonly string[]): readonly Branch[] {
  if (group.some((key) => branch.required.has(key))) return [branch];
  return group
    .filter((key) => !branch.never.has(key))
    .map((key) => ({
      ...branch,
      required: union(branch.required, [key]),
      label: branch.label + labelOf(key),
    }));
}

function splitByPresence(
  branch: Branch,
  [key, needed]: readonly [string, readonly string[]],
): readonly Branch[] {
  const isForbidden = branch.never.has(key) || needed.some((other) => branch.never.has(other));
  const isNeeded = branch.required.has(key);
  if (!isForbidden && needed.every((other) => branch.required.has(other))) return [branch];
  const present = { ...branch, required: union(branch.required, [key, ...needed]) };
  const absent = { ...branch, never: union(branch.never, [key]) };
  if (isForbidden) return isNeeded ? [] : [absent];
  if (isNeeded) return [present];
  return [
    { ...present, label: branch.label + labelOf(key, 'With') },
    { ...absent, label: branch.label + labelOf(key, 'Without') },
  ];
}

function labelOf(key: string, word = 'By'): string {
  const words = key.split(/[^A-Za-z0-9]+/).map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return word + words.join('');
}

function union(set: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return new Set([...set, ...more]);
}

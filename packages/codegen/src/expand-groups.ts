import { type JsonSchema, keyGroupsOf } from '@svc/catalog';

/** Properties that a branch of an object requires, and properties that it forbids. */
export interface Branch {
  readonly required: ReadonlySet<string>;
  readonly never: ReadonlySet<string>;
  /** The key that distinguishes this branch from the others. The name of the branch contains it. */
  readonly label: string;
}

// Each key of requiredWith may double the branches; where that gets unreadable the rule is left to the service.
const MAX_BRANCHES = 16;

/**
 * The rules `exactlyOneOf`, `atMostOneOf`, `atLeastOneOf` and `requiredWith` of an object as branches, one of which every valid object fits.
 * One branch means that there are no such rules.
 */
export function expandGroups(schema: JsonSchema): readonly Branch[] {
  const whole: Branch = { required: new Set(schema.required), never: new Set(), label: '' };
  const exact = split([whole], keyGroupsOf(schema.exactlyOneOf), chooseExactly);
  const atMost = split(exact, keyGroupsOf(schema.atMostOneOf), chooseAtMost);
  const atLeast = split(atMost, keyGroupsOf(schema.atLeastOneOf), chooseAtLeast);
  const all = split(atLeast, Object.entries(schema.requiredWith ?? {}), splitByPresence);
  return all.length > MAX_BRANCHES ? atMost : all;
}

/** The branches that rules leave, each of which may split a branch or rule it out. */
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

/** Returns the branch in which `key` is the present one of its group; empty if other rules forbid it. */
function choose(branch: Branch, group: readonly string[], key: string, isNeeded: boolean): readonly Branch[] {
  const others = group.filter((other) => other !== key);
  if (branch.never.has(key) || others.some((other) => branch.required.has(other))) return [];
  const required = isNeeded ? union(branch.required, [key]) : branch.required;
  return [{ required, never: union(branch.never, others), label: branch.label + labelOf(key) }];
}

/** A branch for each key of the group that may be given; when none may, the branch with none. */
function chooseAtMost(branch: Branch, group: readonly string[]): readonly Branch[] {
  const branches = group.flatMap((key) => choose(branch, group, key, false));
  if (branches.length === 0) return [{ ...branch, never: union(branch.never, group) }];
  // A single branch needs no label of its own, because it is the only choice.
  return branches.length === 1 ? branches.map((only) => ({ ...only, label: branch.label })) : branches;
}

/** A branch for each key of the group, which has at least that one. */
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

import type { JsonSchema } from '../json-schema.js';
import type { ErrorObject } from './create-ajvs.js';

/** Validates the data at a JSON pointer against one branch of a union, and returns the errors. */
export type ExamineBranch = (
  branch: JsonSchema,
  data: unknown,
  instancePath: string,
) => readonly ErrorObject[];

/**
 * Reduces ajv's errors of a failed `anyOf` or `oneOf` to those of the branch that the caller probably meant. A branch
 * with a matching type or tag (a property with a constant value) wins, then the branch with the fewest errors.
 */
export function reduceUnions(errors: readonly ErrorObject[], examine: ExamineBranch): readonly ErrorObject[] {
  const dropped = new Map<string, number>();
  const remaining: ErrorObject[] = [];
  for (const error of errors.toReversed()) {
    if (takeOne(dropped, keyOf(error))) continue;
    const branches = failedBranches(error, examine);
    for (const inner of branches.flat()) dropped.set(keyOf(inner), (dropped.get(keyOf(inner)) ?? 0) + 1);
    const reduced = branches.length === 0 ? [error] : likeliest(error, branches, examine);
    remaining.push(...reduced.toReversed());
  }
  return remaining.reverse();
}

function keyOf({ instancePath, keyword, message }: ErrorObject): string {
  return `${instancePath} ${keyword} ${message}`;
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}

type Branches = readonly (readonly ErrorObject[])[];

function failedBranches(error: ErrorObject, examine: ExamineBranch): Branches {
  const isUnion = error.keyword === 'anyOf' || error.keyword === 'oneOf';
  if (!isUnion || !Array.isArray(error.schema)) return [];
  const branches = error.schema.map((branch) => examine(branch, error.data, error.instancePath));
  // A `oneOf` with a matching branch failed because several branches match. Its own error is reported then.
  return branches.some((branch) => branch.length === 0) ? [] : branches;
}

function likeliest(union: ErrorObject, branches: Branches, examine: ExamineBranch): readonly ErrorObject[] {
  const path = union.instancePath;
  const rightKind = branches.filter((branch) => !branch.some((error) => isKindMismatch(error, path)));
  if (rightKind.length === 0) return [mergedType(union, branches)];
  const tagged = rightKind.filter((branch) => !branch.some((error) => isTagMismatch(error, path)));
  const sharedTag = tagged.length === 0 ? mergedTag(path, rightKind) : undefined;
  if (sharedTag !== undefined) return [sharedTag];
  const candidates = tagged.length === 0 ? rightKind : tagged;
  const [nearest = []] = candidates.toSorted((a, b) => a.length - b.length);
  return reduceUnions(nearest, examine);
}

function isKindMismatch({ keyword, instancePath }: ErrorObject, path: string): boolean {
  return keyword === 'type' && instancePath === path;
}

function isTagMismatch({ keyword, instancePath }: ErrorObject, path: string): boolean {
  if (keyword !== 'const' && keyword !== 'enum') return false;
  return instancePath === path || instancePath.slice(0, instancePath.lastIndexOf('/')) === path;
}

function mergedType(union: ErrorObject, branches: Branches): ErrorObject {
  const mismatches = branches.flat().filter((error) => isKindMismatch(error, union.instancePath));
  const types = mismatches.flatMap((error): unknown[] => [error.params['type']].flat());
  return { ...union, keyword: 'type', params: { type: [...new Set(types)] } };
}

/**
 * Merges the errors of all branches of a union into one `enum` error that lists every allowed tag. A tag is a property
 * with a constant value. Undefined if the branches fail at different fields.
 */
function mergedTag(path: string, branches: Branches): ErrorObject | undefined {
  const mismatches = branches.map((branch) => branch.find((error) => isTagMismatch(error, path)));
  const [first] = mismatches;
  if (first === undefined || mismatches.some((error) => error?.instancePath !== first.instancePath))
    return undefined;
  const allowedValues = mismatches.flatMap(
    (error): unknown[] => error?.params['allowedValues'] ?? [error?.params['allowedValue']],
  );
  return { ...first, keyword: 'enum', params: { allowedValues } };
}

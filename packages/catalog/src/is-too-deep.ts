/**
 * Checks whether parsed JSON has more than `mostLevels` levels of nesting. Uses a list instead of recursion, because
 * deep nesting would overflow the call stack.
 */
export function isTooDeep(value: unknown, mostLevels: number): boolean {
  const open = [{ value, depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at.value !== 'object' || at.value === null) continue;
    const depth = at.depth + 1;
    if (depth > mostLevels) return true;
    for (const member of Object.values(at.value)) open.push({ value: member, depth });
  }
  return false;
}

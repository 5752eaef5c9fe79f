/** Checks whether parsed JSON has more levels of nesting. Works without recursion, which the nesting could overflow. */
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

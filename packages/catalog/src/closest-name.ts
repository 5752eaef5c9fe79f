/**
 * Returns the known name that is closest to a misspelled one, for "did you mean" hints. Allows an edit distance of two,
 * or of one for names below four characters.
 */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const plain = fold(name);
  if (plain.length > 64) return undefined;
  const allowed = plain.length < 4 ? 1 : 2;
  const ranked = names
    .map((candidate) => ({ candidate, edits: editsBetween(plain, fold(candidate)) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Calculates the Levenshtein distance: the number of inserted, deleted and replaced characters. */
function editsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}

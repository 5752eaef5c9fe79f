import { type Automaton, UncheckedPattern } from './automaton.js';
import type { CharacterSets } from './character-sets.js';

/**
 * Maximum number of steps that a matcher may try for one character of a text, on all its paths. 5,000 characters then
 * take less than 250 ms.
 */
const MOST_TRIES = 1000;
const MOST_STEPS = 1_000_000;

/**
 * Number of paths on which a regular expression engine can reach each position of the automaton, after reading the same
 * text.
 */
type Paths = ReadonlyMap<number, number>;

const keyOf = (paths: Paths): string =>
  [...paths]
    .toSorted(([one], [other]) => one - other)
    .map((entry) => entry.join(':'))
    .join();

/**
 * Follows a pattern's automaton over all texts, and counts the steps that a matcher tries per character when no path
 * matches. Returns the problem if a text makes the matcher try too many. Throws `UncheckedPattern` if the texts
 * differ in too many ways.
 */
export function findManyTries(
  { positions, first }: Automaton,
  { sets, letters }: CharacterSets,
): string | undefined {
  const seen = new Set<string>();
  const open: Paths[] = [];
  let steps = 0;

  /**
   * Adds the automaton's paths after one more character of the text. Returns false if a regular expression engine would
   * try too many of them.
   */
  function addPaths(tried: Paths): boolean {
    let tries = 0;
    for (const count of tried.values()) tries += count;
    steps += tried.size * letters.length;
    if (steps > MOST_STEPS) throw new UncheckedPattern('its parts combine in too many ways');
    if (tries > MOST_TRIES) return false;
    for (const letter of letters) {
      const paths = new Map([...tried].filter(([position]) => ((sets[position] ?? 0n) & letter) !== 0n));
      const key = keyOf(paths);
      if (paths.size === 0 || seen.has(key)) continue;
      seen.add(key);
      open.push(paths);
    }
    return true;
  }

  function nextOf(paths: Iterable<readonly [readonly number[], number]>): Paths {
    const tried = new Map<number, number>();
    for (const [next, count] of paths) {
      steps += next.length;
      for (const position of next) tried.set(position, (tried.get(position) ?? 0) + count);
    }
    return tried;
  }

  let tried = nextOf([[first, 1]]);
  while (addPaths(tried)) {
    const paths = open.pop();
    if (paths === undefined) return undefined;
    tried = nextOf([...paths].map(([position, count]) => [positions[position]?.next ?? [], count]));
  }
  return 'its parts can match the same text in too many ways';
}

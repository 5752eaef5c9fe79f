import { type Position, UncheckedPattern } from './automaton.js';

const MOST_STEPS = 200_000;
const MOST_PAIRS = 5_000_000;

const tooMany = () => new UncheckedPattern('its repetitions combine in too many ways');

function reachableFrom(positions: readonly Position[], from: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const next of positions[at]?.next ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
  return seen;
}

/**
 * Finds two loops of a regular expression that can match the same text. The number of paths that a matcher tries then
 * grows with the length of the text. Returns a description of the loops. `sets`: the characters that each position
 * accepts. Undefined if there are no such loops. See Weber and Seidl, "On the degree of ambiguity of finite automata".
 */
export function findAmbiguity(positions: readonly Position[], sets: readonly bigint[]): string | undefined {
  const reachable = positions.map((_, index) => reachableFrom(positions, index));
  const canReach = (from: number, to: number) => reachable[from]?.has(to) === true;
  const isSameLoop = (one: number, other: number) => canReach(one, other) && canReach(other, one);
  const loops = positions.map((_, index) => index).filter((index) => canReach(index, index));
  let steps = 0;
  let pairs = 0;

  /**
   * Checks for a text that leads the automaton from position `one` to itself, from `one` to `other`, and from `other`
   * to itself.
   */
  function sharesText(one: number, other: number): boolean {
    const seen = new Set<string>();
    const open: (readonly [number, number, number])[] = [[one, one, other]];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const first of positions[at[0]]?.next ?? []) {
        if (!isSameLoop(one, first)) continue;
        for (const last of positions[at[2]]?.next ?? []) {
          pairs += 1;
          if (pairs > MOST_PAIRS) throw tooMany();
          const shared = (sets[first] ?? 0n) & (sets[last] ?? 0n);
          if (shared === 0n || !isSameLoop(other, last)) continue;
          for (const middle of positions[at[1]]?.next ?? []) {
            steps += 1;
            if (steps > MOST_STEPS) throw tooMany();
            if (((sets[middle] ?? 0n) & shared) === 0n) continue;
            if (first === one && middle === other && last === other) return true;
            const key = `${first} ${middle} ${last}`;
            if (seen.has(key)) continue;
            seen.add(key);
            open.push([first, middle, last]);
          }
        }
      }
    }
    return false;
  }

  for (const one of loops) {
    const { next = [] } = positions[one] ?? {};
    const twice = next.find((each, index) => next.indexOf(each) < index && isSameLoop(one, each));
    if (twice !== undefined) return 'it repeats a repetition, as (a+)+ does';
    for (const other of loops)
      if (one !== other && canReach(one, other) && sharesText(one, other))
        return 'two of its repetitions match the same characters';
  }
  return undefined;
}

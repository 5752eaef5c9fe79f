import type { AST } from '@eslint-community/regexpp';

/**
 * State of a pattern's automaton: one character that the pattern matches. `text` is the character or class as written
 * in the pattern, or `END` for `$`.
 */
export interface Position {
  readonly text: string;
  /** Positions that may follow this position. A position that is listed twice can be reached in two ways. */
  readonly next: number[];
}

/** Positions of the automaton at which a part of a pattern can begin and end. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** True if the part can match the empty text. */
  readonly isOptional: boolean;
}

/** Alternative of a regular expression, such as `a` in `a|b`. */
export interface Branch {
  readonly elements: readonly AST.Element[];
  /** True if the alternative matches only at the start of a text. Other alternatives are tried at each character. */
  readonly isAnchored: boolean;
}

export const END = '$';
const ANY = '[^]';

const NOTHING: Part = { first: [], last: [], isOptional: true };
/**
 * Maximum repetition count of a group, as in `(ab){10}`, for which the automaton copies the group. A group with a
 * higher count becomes an endless loop.
 */
const MOST_GROUPS = 10;
/**
 * Maximum product of the optional repetition counts in a pattern. Above the maximum, repetitions become endless loops
 * in the automaton, because copies would take too long.
 */
const MOST_WAYS = 1000;
const MOST_POSITIONS = 500;

/** Error for a regular expression that the check for linear time does not support. */
export class UncheckedPattern extends Error {}

const CHARACTERS = ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'];

/** Checks whether a part of a regular expression contains a repetition. */
function hasLoop(node: AST.Node): boolean {
  if (node.type === 'Quantifier') return node.max > 1 || hasLoop(node.element);
  if (node.type === 'Alternative') return node.elements.some(hasLoop);
  return 'alternatives' in node && node.alternatives.some(hasLoop);
}

/**
 * Builds the position automaton (Glushkov) of a regular expression that is searched for in a text. The automaton has at
 * least the paths of the real matcher: assertions always hold, and repetitions above `mostCopies` have no upper limit.
 */
export function buildAutomaton(branches: readonly Branch[], mostCopies: number): readonly Position[] {
  const positions: Position[] = [];
  let ways = 1;
  // True while the automaton is exact, so without approximations. A match then ends at the last position, and nothing
  // follows it.
  let isExact = true;

  function addPosition(text: string): number {
    if (positions.length >= MOST_POSITIONS) throw new UncheckedPattern('it is too long');
    return positions.push({ text, next: [] }) - 1;
  }

  function link(from: readonly number[], to: readonly number[]): void {
    for (const position of from) positions[position]?.next.push(...to);
  }

  function addCharacter(text: string): Part {
    const position = addPosition(text);
    return { first: [position], last: [position], isOptional: false };
  }

  function append(left: Part, right: Part): Part {
    link(left.last, right.first);
    return {
      first: left.isOptional ? [...left.first, ...right.first] : left.first,
      last: right.isOptional ? [...left.last, ...right.last] : right.last,
      isOptional: left.isOptional && right.isOptional,
    };
  }

  const oneOf = (parts: readonly Part[]): Part => ({
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    isOptional: parts.some(({ isOptional }) => isOptional),
  });

  function addCopies({ element, min, max }: AST.Quantifier): Part {
    let part = NOTHING;
    for (let count = 0; count < min; count += 1) part = append(part, addElement(element));
    let optional = NOTHING;
    for (let count = min; count < max; count += 1)
      optional = { ...append(addElement(element), optional), isOptional: true };
    return append(part, optional);
  }

  function addQuantifier(quantifier: AST.Quantifier): Part {
    const { min, max, element } = quantifier;
    if (max === 0) return NOTHING;
    const newWays = ways * (max - min + 1);
    const most = CHARACTERS.includes(element.type) ? mostCopies : Math.min(mostCopies, MOST_GROUPS);
    if (max <= most && newWays <= MOST_WAYS) {
      ways = newWays;
      return addCopies(quantifier);
    }
    const part = addElement(element);
    link(part.last, part.first);
    if (min > 1) isExact = false;
    return { ...part, isOptional: part.isOptional || min === 0 };
  }

  function addAssertion(assertion: AST.Assertion): Part {
    if (assertion.kind === 'end') return addCharacter(END);
    isExact = false;
    if ('alternatives' in assertion && assertion.alternatives.some(hasLoop))
      throw new UncheckedPattern('it has a repetition inside a lookahead or lookbehind');
    return NOTHING;
  }

  function addElement(element: AST.Element): Part {
    if (element.type === 'Quantifier') return addQuantifier(element);
    if (element.type === 'Assertion') return addAssertion(element);
    if (element.type === 'Backreference') throw new UncheckedPattern('it has a backreference');
    if ('alternatives' in element)
      return oneOf(element.alternatives.map(({ elements }) => addSequence(elements)));
    return addCharacter(element.raw);
  }

  const addSequence = (elements: readonly AST.Element[]): Part =>
    elements.map(addElement).reduce(append, NOTHING);

  const parts = branches.map(({ elements, isAnchored }) => ({ isAnchored, part: addSequence(elements) }));
  const last = parts.flatMap(({ part }) => part.last);
  if (isExact) for (const position of last) positions[position]?.next.splice(0);
  const searched = parts.filter(({ isAnchored }) => !isAnchored);
  if (searched.length > 0) {
    const start = addPosition(ANY);
    link([start], [start, ...searched.flatMap(({ part }) => part.first)]);
  }
  return positions;
}

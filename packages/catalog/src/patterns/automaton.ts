import type { AST } from '@eslint-community/regexpp';

/**
 * State of a pattern's automaton: one character that the pattern matches. `text` is the character or class as written
 * in the pattern, or `END` for `$`.
 */
export interface Position {
  readonly text: string;
  /** Positions that may follow this position. A position listed twice can be reached in two ways. */
  readonly next: number[];
}

/** Position automaton (Glushkov) of a regular expression. Each state is one character of the expression. */
export interface Automaton {
  readonly positions: readonly Position[];
  /** Positions that the first character of a text can reach. */
  readonly first: readonly number[];
}

/** Positions of the automaton at which a part of a regular expression can begin and end. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Number of ways in which the part matches the empty text. */
  readonly empties: number;
}

export const END = '$';
const ANY = '[^]';

const NOTHING: Part = { first: [], last: [], empties: 1 };
/**
 * Maximum repetition count of a group, as in `(ab){10}`, for which the automaton copies the group. A group with a
 * higher count becomes an endless loop.
 */
const MOST_GROUPS = 10;
const MOST_EMPTIES = 4;
const MOST_POSITIONS = 500;

/** Error for a regular expression that the check for linear time does not support. */
export class UncheckedPattern extends Error {}

const CHARACTERS = ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'];

/** Returns true for a character or a boundary such as `\b`. These match a text in one way only. */
const isPlain = (element: AST.Element): boolean =>
  CHARACTERS.includes(element.type) || (element.type === 'Assertion' && !('alternatives' in element));

const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === 'Assertion' && element.kind === 'start';

const repeat = (positions: readonly number[], times: number): readonly number[] =>
  Array.from({ length: times }, () => positions).flat();

/**
 * Builds the position automaton (Glushkov) of a regular expression that is searched for in a text. The automaton has at
 * least the paths of a real engine. Assertions always hold, lookaheads are paths that end after them, and repetitions
 * above `mostCopies` have no upper limit.
 */
export function buildAutomaton({ alternatives }: AST.Pattern, mostCopies: number): Automaton {
  const positions: Position[] = [];
  // False if the automaton only approximates the regular expression. In an exact automaton, a match ends at the last
  // position, and nothing follows it.
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
    return { first: [position], last: [position], empties: 0 };
  }

  function toPart(first: readonly number[], last: readonly number[], empties: number): Part {
    if (empties > MOST_EMPTIES || first.length > MOST_POSITIONS || last.length > MOST_POSITIONS)
      throw new UncheckedPattern('its parts can be empty in too many ways');
    return { first, last, empties };
  }

  function append(left: Part, right: Part): Part {
    link(left.last, right.first);
    return toPart(
      [...left.first, ...repeat(right.first, left.empties)],
      [...repeat(left.last, right.empties), ...right.last],
      left.empties * right.empties,
    );
  }

  const oneOf = (parts: readonly Part[]): Part =>
    toPart(
      parts.flatMap(({ first }) => first),
      parts.flatMap(({ last }) => last),
      parts.reduce((sum, { empties }) => sum + empties, 0),
    );

  function addCopies({ element, min, max }: AST.Quantifier): Part {
    let part = NOTHING;
    for (let count = 0; count < min; count += 1) part = append(part, addElement(element));
    // Optional repetitions do not count the empty text as a match, because regular expression engines reject empty
    // iterations above the minimum.
    let optional = NOTHING;
    for (let count = min; count < max; count += 1)
      optional = { ...append({ ...addElement(element), empties: 0 }, optional), empties: 1 };
    return append(part, optional);
  }

  function addQuantifier(quantifier: AST.Quantifier): Part {
    const { min, max, element } = quantifier;
    if (max === 0) return NOTHING;
    const most = CHARACTERS.includes(element.type) ? mostCopies : Math.min(mostCopies, MOST_GROUPS);
    if (max <= most) return addCopies(quantifier);
    const part = addElement(element);
    if (part.empties > 0 && min > 0) throw new UncheckedPattern('it repeats a part that can be empty');
    link(part.last, part.first);
    if (min > 1) isExact = false;
    return { ...part, empties: min === 0 ? 1 : 0 };
  }

  /**
   * Adds a lookbehind as one path per character, because an engine tests its characters again at each position of the
   * text.
   */
  function addLookbehind({ alternatives: each }: AST.LookbehindAssertion): Part {
    const elements = each.flatMap((alternative) => alternative.elements);
    if (!elements.every(isPlain))
      throw new UncheckedPattern('it has a group or a repetition inside a lookbehind');
    return { first: elements.map(() => addPosition(ANY)), last: [], empties: 1 };
  }

  function addAssertion(assertion: AST.Assertion): Part {
    if (assertion.kind === 'end') return addCharacter(END);
    isExact = false;
    if (assertion.kind === 'lookbehind') return addLookbehind(assertion);
    if (assertion.kind !== 'lookahead') return NOTHING;
    return { first: addAlternatives(assertion.alternatives).first, last: [], empties: 1 };
  }

  function addElement(element: AST.Element): Part {
    if (element.type === 'Quantifier') return addQuantifier(element);
    if (element.type === 'Assertion') return addAssertion(element);
    if (element.type === 'Backreference') throw new UncheckedPattern('it has a backreference');
    if ('modifiers' in element && element.modifiers !== null)
      throw new UncheckedPattern('it changes flags inside');
    if ('alternatives' in element) return addAlternatives(element.alternatives);
    return addCharacter(element.raw);
  }

  const addSequence = (elements: readonly AST.Element[]): Part =>
    elements.map(addElement).reduce(append, NOTHING);

  const addAlternatives = (each: readonly AST.Alternative[]): Part =>
    oneOf(each.map(({ elements }) => addSequence(elements)));

  const parts = alternatives.map(({ elements }) => {
    const isAnchored = isStart(elements[0]);
    return { isAnchored, part: addSequence(isAnchored ? elements.slice(1) : elements) };
  });
  const last = parts.flatMap(({ part }) => part.last);
  if (isExact) for (const position of last) positions[position]?.next.splice(0);
  const first = parts.flatMap(({ part }) => part.first);
  const searched = parts.filter(({ isAnchored }) => !isAnchored);
  if (searched.length === 0) return { positions, first };
  const start = addPosition(ANY);
  link([start], [start, ...searched.flatMap(({ part }) => part.first)]);
  return { positions, first: [start, ...first] };
}

import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { findAmbiguity } from './ambiguity.js';
import { type Branch, buildAutomaton, UncheckedPattern } from './automaton.js';

const parser = new RegExpParser();

const isStart = (element: AST.Element | undefined): boolean =>
  element?.type === 'Assertion' && element.kind === 'start';

const isLookahead = (element: AST.Element | undefined): element is AST.LookaheadAssertion =>
  element?.type === 'Assertion' && element.kind === 'lookahead';

/**
 * Splits an alternative of a regular expression into the lookaheads at the start of the text, which run once, and the
 * rest.
 */
function splitStart({ elements }: AST.Alternative) {
  if (!isStart(elements[0])) return { lookaheads: [], branch: { elements, isAnchored: false } };
  const rest = elements.slice(1);
  const end = rest.findIndex((element) => !isLookahead(element));
  const count = end === -1 ? rest.length : end;
  const branch: Branch = { elements: rest.slice(count), isAnchored: true };
  return { lookaheads: rest.slice(0, count).filter(isLookahead), branch };
}

const anchored = ({ elements }: AST.Alternative): Branch => ({ elements, isAnchored: true });

/**
 * Maximum repetition count of a character, as in `a{100}`, for which the automaton copies the character. A character
 * with a higher count becomes an endless loop.
 */
const MOST_COPIES = 100;

/**
 * Checks a pattern without its repetition counts first, because that is fast. Checks the pattern with its counts only
 * if the first check finds a problem.
 */
function problemOfSearch(branches: readonly Branch[]): string | undefined {
  if (findAmbiguity(buildAutomaton(branches, 1)) === undefined) return undefined;
  return findAmbiguity(buildAutomaton(branches, MOST_COPIES));
}

/**
 * Returns the reason why a search for a pattern may take more than linear time in the length of a text (ReDoS).
 * Undefined for a linear pattern. Rejects doubtful patterns, because the check follows repetition counts and
 * lookarounds only in part.
 */
export function problemOfPattern(pattern: string): string | undefined {
  try {
    const { alternatives } = parser.parsePattern(pattern, undefined, undefined, { unicode: true });
    const split = alternatives.map(splitStart);
    const searches = [
      ...split.flatMap(({ lookaheads }) => lookaheads).map((each) => each.alternatives.map(anchored)),
      split.map(({ branch }) => branch),
    ];
    return searches.map(problemOfSearch).find((problem) => problem !== undefined);
  } catch (error) {
    if (error instanceof UncheckedPattern) return error.message;
    if (error instanceof SyntaxError) return `it is not a regular expression: ${error.message}`;
    throw error;
  }
}

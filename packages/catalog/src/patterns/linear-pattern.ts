import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { findAmbiguity } from './ambiguity.js';
import { buildAutomaton, UncheckedPattern } from './automaton.js';
import { characterSets } from './character-sets.js';
import { findManyTries } from './count-tries.js';

const parser = new RegExpParser();

/**
 * Maximum repetition counts, as in `a{100}`, up to which the automaton repeats the character. A higher count becomes an
 * endless loop. The check uses 1 first, because it is fast, and 100 only if 1 finds a problem.
 */
const MOST_COPIES = [1, 100];

function problemWithCopies(pattern: AST.Pattern, mostCopies: number): string | undefined {
  try {
    const automaton = buildAutomaton(pattern, mostCopies);
    const characters = characterSets(pattern, automaton.positions);
    return findAmbiguity(automaton.positions, characters.sets) ?? findManyTries(automaton, characters);
  } catch (error) {
    if (error instanceof UncheckedPattern) return error.message;
    throw error;
  }
}

/**
 * Returns the reason why a search for a regular expression may take more than linear time in the length of a text
 * (ReDoS), or too long per character. Undefined for a linear expression. Rejects doubtful ones, because the check
 * follows repetition counts and lookarounds only in part.
 */
export function problemOfPattern(pattern: string): string | undefined {
  try {
    const ast = parser.parsePattern(pattern, undefined, undefined, { unicode: true });
    let problem: string | undefined;
    for (const mostCopies of MOST_COPIES) {
      problem = problemWithCopies(ast, mostCopies);
      if (problem === undefined) break;
    }
    return problem;
  } catch (error) {
    if (error instanceof SyntaxError) return `it is not a regular expression: ${error.message}`;
    throw error;
  }
}

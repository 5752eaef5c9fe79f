import { type AST, visitRegExpAST } from '@eslint-community/regexpp';
import { END, type Position, UncheckedPattern } from './automaton.js';

/**
 * Characters that each position of an automaton accepts, as bit sets. Characters that all positions treat alike share
 * one bit. Bit 0 represents the end of the text.
 */
export interface CharacterSets {
  readonly sets: readonly bigint[];
  /** Bit sets with exactly one bit each, one for each group of characters that all positions treat alike. */
  readonly letters: readonly bigint[];
}

const range = (from: number, to: number, step: number): readonly string[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) =>
    String.fromCodePoint(from + index * step),
  );

/**
 * Sample characters with which every regular expression is tested. `\s`, `\w` and `\d` treat all other characters
 * alike.
 */
const COMMON = [...range(0, 0x3000, 1), '\u{3000}', '\u{feff}', '\u{10ffff}'];
/** Sample characters of all scripts, for regular expressions with `\p{…}`. Unicode blocks begin at multiples of 16. */
const SCRIPTS = [...range(0x3000, 0x20000, 0x10), ...range(0x20000, 0x110000, 0x100)];

/** Returns the characters at which the character classes of a pattern begin or end, and their neighbours in Unicode. */
function boundariesOf(pattern: AST.Pattern): readonly string[] {
  const values: number[] = [];
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => void values.push(value - 1, value, value + 1),
  });
  return values
    .filter((value) => value >= 0 && value <= 0x10ffff)
    .map((value) => String.fromCodePoint(value));
}

const bitsOf = (tests: readonly RegExp[], character: string): string =>
  tests.map((test) => (test.test(character) ? '1' : '0')).join('');

/** Determines the characters that each position of a pattern's automaton accepts. */
export function characterSets(pattern: AST.Pattern, positions: readonly Position[]): CharacterSets {
  const texts = [...new Set(positions.map(({ text }) => text))].filter((text) => text !== END);
  const tests = texts.map((text) => new RegExp(`^(?:${text})$`, 'u'));
  const scripts = texts.some((text) => /\\p/i.test(text)) ? SCRIPTS : [];
  const sample = [...COMMON, ...scripts, ...boundariesOf(pattern)];
  const kinds = [...new Set(sample.map((character) => bitsOf(tests, character)))];
  const letters = [1n, ...kinds.map((_, index) => 2n << BigInt(index))];
  const sets = new Map<string, bigint>([[END, 1n]]);
  for (const [index, text] of texts.entries()) {
    const accepted = letters.filter((_, letter) => kinds[letter - 1]?.charAt(index) === '1');
    if (accepted.length === 0 && text !== '[]')
      throw new UncheckedPattern(`the check does not know which characters ${text} matches`);
    sets.set(
      text,
      accepted.reduce((all, one) => all | one, 0n),
    );
  }
  return { sets: positions.map(({ text }) => sets.get(text) ?? 0n), letters };
}

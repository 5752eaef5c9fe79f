import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Fault, SOURCE } from '../../packages/server/test/support/runner/mutant.ts';

interface Target {
  /**
   * Security rule (number in security-rules.md) that the mutant breaks. A mutant is a fault in the source of the
   * service.
   */
  readonly rule: string;
  /** Name of the top-level declaration in packages/server/src that the mutant changes. */
  readonly symbol: string;
  /**
   * Name of another declaration in the mutant's file. It selects the file if several files contain `symbol` with the
   * fragment.
   */
  readonly near?: string;
  /** Only database on which the mutant breaks the security rule. Absent: it breaks the rule on every database. */
  readonly database?: 'postgres';
}

/**
 * Mutant: a fault that replaces or removes a source fragment. The fragment occurs once in the declaration, ignoring
 * whitespace.
 */
export type Mutant = Target &
  ({ readonly find: string; readonly replace: string } | { readonly remove: string });

interface Declaration {
  /** Name of the top-level declaration. Undefined for a top-level comment. */
  readonly name: string | undefined;
  readonly file: string;
  readonly start: number;
  readonly text: string;
}

// Matches the start of a top-level declaration or comment in a source file. Biome indents everything inside a
// declaration, so the next match ends it.
const BEGINNING = /^(?:\/[/*]|(?:export )?(?:async )?(?:function|const|let|class|interface|type) (\w+))/gm;

function readDeclarations(file: string): Declaration[] {
  const source = readFileSync(path.join(SOURCE, file), 'utf8');
  return [...source.matchAll(BEGINNING)].map(({ 1: name, index }, at, all) => {
    return { name, file, start: index, text: source.slice(index, all[at + 1]?.index) };
  });
}

const declarations = globSync('**/*.ts', { cwd: SOURCE })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap(readDeclarations);

const filesOf = (matches: readonly { readonly file: string }[]) => [
  ...new Set(matches.map(({ file }) => file)),
];

function findDeclarations({ symbol, near }: Target): Declaration[] {
  const matches = declarations.filter(({ name }) => name === symbol);
  if (matches.length === 0) throw new Error(`packages/server/src does not declare "${symbol}"`);
  if (near === undefined) return matches;
  const files = filesOf(declarations.filter(({ name }) => name === near));
  const nearby = matches.filter(({ file }) => files.includes(file));
  if (nearby.length === 0) throw new Error(`No file declares both "${symbol}" and "${near}"`);
  return nearby;
}

export const fragmentOf = (mutant: Mutant): string => ('remove' in mutant ? mutant.remove : mutant.find);

const withoutWhitespace = (text: string): string => text.replaceAll(/\s/g, '');

/** Finds all occurrences of a source fragment in a text, ignoring whitespace. */
function findFragment(text: string, fragment: string): { start: number; original: string }[] {
  const offsets = [...text.matchAll(/\S/g)].map(({ index }) => index);
  const squeezed = withoutWhitespace(text);
  const wanted = withoutWhitespace(fragment);
  return offsets.flatMap((start, at) => {
    if (!squeezed.startsWith(wanted, at)) return [];
    const end = (offsets[at + wanted.length - 1] ?? start) + 1;
    return [{ start, original: text.slice(start, end) }];
  });
}

/** Finds the only source location that a mutant describes. Throws an error for no location, or for several. */
export function locateMutant(mutant: Mutant): Fault {
  const matches = findDeclarations(mutant);
  const replacement = 'remove' in mutant ? '' : mutant.replace;
  const faults = matches.flatMap(({ file, start, text }) =>
    findFragment(text, fragmentOf(mutant)).map((match) => {
      return { file, start: start + match.start, original: match.original, replacement };
    }),
  );
  const [fault, ...others] = faults;
  if (fault && others.length === 0) return fault;
  const files = filesOf(fault ? faults : matches);
  const problem =
    fault && files.length > 1
      ? 'several files have this declaration and fragment, so add "near"'
      : `the fragment occurs ${faults.length} times, but must occur once`;
  throw new Error(`${problem} (${files.join(', ')})`);
}

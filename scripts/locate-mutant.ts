import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Fault, SOURCE } from '../packages/server/test/support/mutant.ts';

interface Target {
  /** Security rule that the mutant breaks. */
  readonly rule: string;
  /** Name of a top-level declaration in packages/server/src, exported or not. */
  readonly symbol: string;
  /** Another declaration of the same file, where several declarations named `symbol` contain the fragment. */
  readonly near?: string;
  /** Set when the rule breaks on this database alone. */
  readonly database?: 'postgres';
}

/** Replaces or removes a fragment that occurs once in the declaration. Whitespace does not count. */
export type Mutant = Target &
  ({ readonly find: string; readonly replace: string } | { readonly remove: string });

interface Declaration {
  /** `undefined` for a comment. */
  readonly name: string | undefined;
  readonly file: string;
  readonly start: number;
  readonly text: string;
}

// Biome indents the inside of a declaration, so the next declaration or comment in column 0 ends it.
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

const filesOf = (found: readonly { readonly file: string }[]) => [...new Set(found.map(({ file }) => file))];

function findDeclarations({ symbol, near }: Target): Declaration[] {
  const found = declarations.filter(({ name }) => name === symbol);
  if (found.length === 0) throw new Error(`packages/server/src does not declare "${symbol}"`);
  if (near === undefined) return found;
  const files = filesOf(declarations.filter(({ name }) => name === near));
  const nearby = found.filter(({ file }) => files.includes(file));
  if (nearby.length === 0) throw new Error(`no file declares both "${symbol}" and "${near}"`);
  return nearby;
}

export const fragmentOf = (mutant: Mutant): string => ('remove' in mutant ? mutant.remove : mutant.find);

const withoutWhitespace = (text: string): string => text.replaceAll(/\s/g, '');

/** Finds the fragment wherever it occurs, with any whitespace or none between its characters. */
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

/** Throws an error that says what does not fit. */
export function locateMutant(mutant: Mutant): Fault {
  const found = findDeclarations(mutant);
  const replacement = 'remove' in mutant ? '' : mutant.replace;
  const faults = found.flatMap(({ file, start, text }) =>
    findFragment(text, fragmentOf(mutant)).map((match) => {
      return { file, start: start + match.start, original: match.original, replacement };
    }),
  );
  const [fault, ...others] = faults;
  if (fault && others.length === 0) return fault;
  const files = filesOf(fault ? faults : found);
  const problem =
    fault && files.length > 1
      ? 'several files declare it with this fragment, so add "near"'
      : `its fragment occurs ${faults.length} times, expected once`;
  throw new Error(`${problem} (${files.join(', ')})`);
}

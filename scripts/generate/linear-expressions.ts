import { readFileSync } from 'node:fs';
import path from 'node:path';
import recheck from 'recheck/package.json' with { type: 'json' };
import { type Expression, findExpressions } from './expressions.ts';

// Makes recheck, the checker of regular expressions, use only JavaScript. Otherwise it would search for Java and native
// engines.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

// Options of recheck without time limits, so that the result does not depend on the load of the machine.
const PARAMETERS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null };
const FILE = path.join(import.meta.dirname, 'linear-expressions.json');

interface Proven {
  /** Version of recheck that proved that the regular expressions take linear time. */
  readonly recheck: string;
  readonly linear: readonly string[];
}

const textOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

/** Returns the problem of a regular expression. Undefined if its time grows linearly with the length of the text. */
function problemOf({ source, flags }: Expression): string | undefined {
  const result = checkSync(source, flags, PARAMETERS);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `not proved linear (${result.error.kind}); simplify it`;
  return `${result.complexity.summary} for ${result.attack.pattern}; make it linear`;
}

/**
 * Sorts regular expressions into linear ones and problems of the others, by their matching time in the length of the
 * text. Checks equal expressions only once, and does not check expressions in `proven`.
 */
export function proveLinear(
  expressions: readonly Expression[],
  proven: readonly string[],
): { linear: readonly string[]; problems: readonly string[] } {
  const known = new Set(proven);
  const linear: string[] = [];
  const problems: string[] = [];
  for (const [text, same = []] of Object.entries(Object.groupBy(expressions, textOf))) {
    const problem = known.has(text) ? undefined : same[0] && problemOf(same[0]);
    if (problem === undefined) linear.push(text);
    else problems.push(...same.map(({ location }) => `${location}: ${text} is ${problem}`));
  }
  return { linear: linear.toSorted(), problems };
}

/** Reads the list of regular expressions that are proved linear. Empty if another version of recheck wrote the list. */
export function readProven(): readonly string[] {
  const proven: Proven = JSON.parse(readFileSync(FILE, 'utf8'));
  return proven.recheck === recheck.version ? proven.linear : [];
}

/**
 * Prints the list of regular expressions that recheck has proved to take linear time. Leaves out slow ones, because
 * check-expressions.ts reports them.
 */
export function printLinearExpressions(): string {
  const { linear } = proveLinear(findExpressions().expressions, readProven());
  const proven: Proven = { recheck: recheck.version, linear };
  return `${JSON.stringify(proven, null, 2)}\n`;
}

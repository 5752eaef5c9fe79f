import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

// Finds long functions and long files, which are hard to read. Tests and generated files may be longer, because they
// are lists.

const MOST_LINES_OF_FUNCTION = 50;
const MOST_LINES_OF_FILE = 400;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const IS_EMPTY = /^\s*($|\/\/|\/\*|\*)/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Returns the outermost functions in a part of a syntax tree. */
function functionsIn(part: unknown): readonly Node[] {
  if (typeof part !== 'object' || part === null) return [];
  if (isNode(part) && FUNCTIONS.includes(part.type)) return [part];
  return Object.values(part).flatMap(functionsIn);
}

/**
 * Finds functions with too many lines of their own, which excludes empty lines, comments and the functions inside. So a
 * function that only assembles others may be long.
 */
function findLong(file: string, text: string, functions: readonly Node[]): readonly string[] {
  return functions.flatMap((each) => {
    const inner = Object.values(each).flatMap(functionsIn);
    let own = text.slice(each.start, each.end);
    for (const { start, end } of inner.toReversed())
      own = own.slice(0, start - each.start) + own.slice(end - each.start);
    const lines = own.split('\n').filter((line) => !IS_EMPTY.test(line)).length;
    const rest = findLong(file, text, inner);
    if (lines <= MOST_LINES_OF_FUNCTION) return rest;
    const line = text.slice(0, each.start).split('\n').length;
    return [`${file}:${line}: a function has ${lines} lines of its own; extract a part with a name`, ...rest];
  });
}

function checkFile(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - 1;
  const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  const long =
    lines > MOST_LINES_OF_FILE ? [`${file}: the file has ${lines} lines; split it by its jobs`] : [];
  return [...long, ...findLong(file, text, functionsIn(tree.body))];
}

const LISTED = ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'];
const { stdout } = spawnSync('git', LISTED, { encoding: 'utf8' });
const sources = stdout
  .trim()
  .split('\n')
  .filter((file) => !/(^|\/)(test|generated)\/|\.test\.ts$/.test(file));
const faults = sources.flatMap(checkFile);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

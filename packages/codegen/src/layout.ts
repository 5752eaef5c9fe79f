import { quoted } from './source-text.js';

const LINE_WIDTH = 110;

/**
 * Lays declarations out that stand one member on a line: indented, with semicolons, single quotes and unions that are too long
 * for a line one type below the other. A formatter of whole programs takes longer for it than everything else together.
 */
export function layout(declarations: string): string {
  const laid: string[] = [];
  let depth = 0;
  let isInterface = false;
  for (const given of withoutParentheses(declarations).split('\n')) {
    const line = given.trim();
    if (isComment(line)) {
      laid.push(`${'  '.repeat(depth)}${line.startsWith('/**') ? line : ` ${line}`}`);
      continue;
    }
    if (depth === 0 && line !== '') isInterface = line.startsWith('export interface');
    const text = changeLiterals(line, (literal) => quoted(String(JSON.parse(literal))));
    const bare = changeLiterals(line, () => '');
    const indent = '  '.repeat(depth - (text.startsWith('}') ? 1 : 0));
    depth += count(bare, '{') - count(bare, '}');
    const isEnded = text === '' || text.endsWith('{') || (depth === 0 && isInterface);
    laid.push(...wrap(`${indent}${text}${isEnded ? '' : ';'}`.trimEnd(), indent));
  }
  return laid.join('\n');
}

const isComment = (line: string): boolean => /^\s*(?:\/\*\*|\*)/.test(line);

/** Puts something else in the place of every text in double quotes. */
function changeLiterals(line: string, change: (literal: string) => string): string {
  let changed = '';
  let end = 0;
  for (let start = line.indexOf('"'); start !== -1; start = line.indexOf('"', end)) {
    changed += line.slice(end, start);
    end = start + 1;
    while (end < line.length && line[end] !== '"') end += line[end] === '\\' ? 2 : 1;
    end += 1;
    changed += change(line.slice(start, end));
  }
  return changed + line.slice(end);
}

const count = (text: string, character: string): number => text.split(character).length - 1;

/** A union that is a whole type needs none around it. */
function withoutParentheses(declarations: string): string {
  const filled = (text: string) => 'x'.repeat(text.length);
  const bare = declarations
    .split('\n')
    .map((line) => (isComment(line) ? filled(line) : changeLiterals(line, filled)))
    .join('\n');
  const dropped = new Set<number>();
  for (const { index } of bare.matchAll(/[:=] \(/g)) {
    const open = index + 2;
    const close = closingOf(bare, open);
    if (bare[close + 1] === '\n' || close + 1 === bare.length) dropped.add(open).add(close);
  }
  let kept = '';
  let end = 0;
  for (const index of [...dropped].sort((a, b) => a - b)) {
    kept += declarations.slice(end, index);
    end = index + 1;
  }
  return kept + declarations.slice(end);
}

/** Where the parenthesis ends that opens there. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('A parenthesis of a type does not end.');
}

/** One line, or as many as a union has types when it is longer than a line. */
function wrap(line: string, indent: string): readonly string[] {
  const start = /^ *(?:export type \w+ =|[^ ]+:) /.exec(line)?.[0];
  if (line.length <= LINE_WIDTH || start === undefined || line.endsWith('{')) return [line];
  const types = line.slice(start.length).split(' | ');
  // A type in parentheses may be a union itself; `(string & {})` is none.
  const isFlat = types.every((type) => count(type, '(') === count(type, ')'));
  return isFlat ? [start.trimEnd(), ...types.map((type) => `${indent}  | ${type}`)] : [line];
}

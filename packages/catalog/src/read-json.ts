import { readFileSync, statSync } from 'node:fs';
import type { Report } from './file-report.js';
import { isTooDeep } from './is-too-deep.js';

const MOST_BYTES = 4 * 2 ** 20;
/** Maximum number of levels of nesting. A schema has two for each level of its values. */
const DEEPEST = 100;

function problemOf(path: string): string | undefined {
  const stats = statSync(path);
  // Reading a pipe or a device could wait for ever.
  if (!stats.isFile()) return 'it is not a file';
  return stats.size > MOST_BYTES ? `it has more than ${MOST_BYTES} bytes` : undefined;
}

/** The JSON in a file; undefined after reporting that it cannot be read. */
export function readJson(path: string, report: Report): unknown {
  try {
    const problem = problemOf(path);
    if (problem !== undefined) {
      report([], problem);
      return undefined;
    }
    const text = readFileSync(path, 'utf8');
    // Some editors begin a file with the mark of its byte order.
    const parsed: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    if (!isTooDeep(parsed, DEEPEST)) return parsed;
    report([], `it is nested deeper than ${DEEPEST} levels`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      report([], 'there is no such file');
    else
      report([], error instanceof SyntaxError ? `it is not JSON: ${reason}` : `it cannot be read: ${reason}`);
  }
  return undefined;
}

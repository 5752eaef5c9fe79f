import { readFileSync, statSync } from 'node:fs';
import type { Report } from './file-report.js';
import { isTooDeep } from './is-too-deep.js';

const MOST_BYTES = 4 * 2 ** 20;
/**
 * Maximum number of nesting levels in a JSON file of the catalogue. A schema uses two levels for each level of the
 * values that it describes.
 */
const DEEPEST = 100;

function problemOf(path: string): string | undefined {
  const stats = statSync(path);
  // Accepts only regular files, because reading a pipe or a device could block forever.
  if (!stats.isFile()) return 'the path is not a regular file; replace it with a JSON file';
  return stats.size > MOST_BYTES ? `the file has more than ${MOST_BYTES} bytes; make it smaller` : undefined;
}

/** Reads and parses a JSON file of the catalogue. Reports a problem and returns undefined if that fails. */
export function readJson(path: string, report: Report): unknown {
  try {
    const problem = problemOf(path);
    if (problem !== undefined) {
      report([], problem);
      return undefined;
    }
    const text = readFileSync(path, 'utf8');
    // Removes the byte order mark (BOM) that some editors write at the start of a file.
    const parsed: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    if (!isTooDeep(parsed, DEEPEST)) return parsed;
    report([], `the file is nested deeper than ${DEEPEST} levels; flatten it`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      report([], 'the file does not exist; create it');
    else
      report(
        [],
        error instanceof SyntaxError
          ? `the file is not valid JSON; correct the syntax: ${reason}`
          : `the file cannot be read; check its permissions: ${reason}`,
      );
  }
  return undefined;
}

import { readFileSync, statSync } from 'node:fs';
import { isTooDeep } from '../is-too-deep.js';
import type { Report } from '../lint/file-report.js';
import { findDuplicateKey } from './find-duplicate-key.js';

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

/** Returns the message for an error while a file was read, decoded or parsed. */
function messageOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'the file does not exist; create it';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'the file is not UTF-8; save it in UTF-8';
  return error instanceof SyntaxError
    ? `the file is not valid JSON; correct the syntax: ${reason}`
    : `the file cannot be read; check its permissions: ${reason}`;
}

/**
 * Decodes a file. Throws if the file is not UTF-8. Removes the byte order mark (BOM) that some editors write at the
 * start of a file.
 */
const decode = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Reads and parses a JSON file of the catalogue. Reports a problem and returns undefined if that fails. */
export function readJson(path: string, report: Report): unknown {
  try {
    const problem = problemOf(path);
    if (problem !== undefined) {
      report([], problem);
      return undefined;
    }
    const text = decode(readFileSync(path));
    const parsed: unknown = JSON.parse(text);
    const duplicate = findDuplicateKey(text);
    if (isTooDeep(parsed, DEEPEST))
      report([], `the file is nested deeper than ${DEEPEST} levels; flatten it`);
    else if (duplicate === undefined) return parsed;
    else report(duplicate, `the object has the key "${duplicate.at(-1)}" twice; remove one`);
  } catch (error) {
    report([], messageOf(error));
  }
  return undefined;
}

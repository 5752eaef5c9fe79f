import { readFileSync } from 'node:fs';
import type { Report } from './file-report.js';

/** The JSON in a file; undefined after reporting that it cannot be read. */
export function readJson(path: string, report: Report): unknown {
  try {
    const text = readFileSync(path, 'utf8');
    // Some editors begin a file with the mark of its byte order.
    const parsed: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return parsed;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      report([], 'there is no such file');
    else
      report([], error instanceof SyntaxError ? `it is not JSON: ${reason}` : `it cannot be read: ${reason}`);
    return undefined;
  }
}

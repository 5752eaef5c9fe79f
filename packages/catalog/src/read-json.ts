import { readFileSync } from 'node:fs';
import type { Report } from './file-report.js';

/** The JSON in a file; undefined after reporting that it cannot be read. */
export function readJson(path: string, report: Report): unknown {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
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

import path from 'node:path';
import type { Plugin } from 'vitest/config';

export const SOURCE = path.join(import.meta.dirname, '../../../src');

/** Fault of a mutation test: the location of a source fragment, and the text that replaces it. */
export interface Fault {
  /** Path of the changed source file, relative to `SOURCE`. */
  readonly file: string;
  /** Offset of `original` in the file. */
  readonly start: number;
  readonly original: string;
  readonly replacement: string;
}

export function applyFault(source: string, { file, start, original, replacement }: Fault): string {
  if (!source.startsWith(original, start)) throw new Error(`${file} does not contain: ${original}`);
  return source.slice(0, start) + replacement + source.slice(start + original.length);
}

/** Reads the fault that this test run applies to the source, from SVC_MUTANT. Undefined without a mutation test. */
export function readFault(given = process.env['SVC_MUTANT']): Fault | undefined {
  return given === undefined ? undefined : (JSON.parse(given) as Fault);
}

/** Applies the fault to a source file when it is loaded. The file itself does not change. */
export function mutant(): Plugin[] {
  const fault = readFault();
  if (fault === undefined) return [];
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (code, id) =>
        path.relative(SOURCE, id) === fault.file ? applyFault(code, fault) : undefined,
    },
  ];
}

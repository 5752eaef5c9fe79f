import path from 'node:path';
import type { Plugin } from 'vitest/config';

export const SOURCE = path.join(import.meta.dirname, '../../src');

/** The one fault of `scripts/mutants.ts` that the tests run with, from SVC_MUTANT: `{ file, find, replace }`. */
export function readMutant(given = process.env['SVC_MUTANT']) {
  if (given === undefined) return undefined;
  const { file, find, replace } = JSON.parse(given) as Record<'file' | 'find' | 'replace', string>;
  return {
    file: path.normalize(file),
    applyTo: (source: string): string => {
      if (!source.includes(find)) throw new Error(`${file} does not hold: ${find}`);
      return source.replace(find, () => replace);
    },
  };
}

/** Puts the fault into a source file as it is loaded; the file itself stays as it is. */
export function mutant(): Plugin[] {
  const fault = readMutant();
  if (fault === undefined) return [];
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (code, id) => (path.relative(SOURCE, id) === fault.file ? fault.applyTo(code) : undefined),
    },
  ];
}

import path from 'node:path';
import type { Plugin } from 'vitest/config';

const SOURCE = path.join(import.meta.dirname, '../../src');

/**
 * Puts the one fault of `scripts/mutants.ts` into a source file as it is loaded; the file itself stays as it is.
 * SVC_MUTANT holds `{ file, find, replace }`.
 */
export function mutant(given = process.env['SVC_MUTANT']): Plugin[] {
  if (given === undefined) return [];
  const { file, find, replace } = JSON.parse(given) as Record<'file' | 'find' | 'replace', string>;
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      transform(code, id) {
        if (path.relative(SOURCE, id) !== path.normalize(file)) return undefined;
        if (!code.includes(find)) throw new Error(`${file} does not hold: ${find}`);
        return code.replace(find, () => replace);
      },
    },
  ];
}

import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

// Deletes the `.d.ts` files that no public entry of a package imports, directly or indirectly. The build of a package
// runs this script in the package's folder.

interface Entry {
  readonly types?: string;
}

const IMPORT = /(?:\bfrom|\bimport\(|\bimport|<reference path=)\s*['"](\.[^'"]+)['"]/g;

const { exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Readonly<Record<string, Entry | string>>;
};

/** Returns the declaration file of an imported file: `./a.js` and `./a.ts` become `./a.d.ts`. */
const declarationOf = (file: string): string => file.replace(/(?:\.d)?\.[jt]s$/, '.d.ts');

const reachable = new Set(
  Object.values(entries).flatMap((entry) =>
    typeof entry === 'string' || !entry.types ? [] : path.normalize(entry.types),
  ),
);
for (const file of reachable) {
  if (!existsSync(file))
    throw new Error(`${file} is missing, and a declaration or an entry names it. Build the package again.`);
  for (const [, imported = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
    reachable.add(declarationOf(path.join(path.dirname(file), imported)));
}
for (const file of globSync('dist/**/*.d.ts')) if (!reachable.has(path.normalize(file))) rmSync(file);

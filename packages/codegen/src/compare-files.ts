import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { filesBelow } from './folders.js';
import type { FileTexts } from './generate.js';
import { BANNER } from './source-text.js';

/** Differences between the generated files in memory and the files on the disk, as sorted paths. */
export interface Drift {
  /** Generated files that are missing on the disk or have another content there. */
  readonly changed: readonly string[];
  /** Generated files on the disk that the generator no longer writes, and packages whose connector was deleted. */
  readonly stale: readonly string[];
  /**
   * Packages of deleted connectors that contain hand-written helper functions (recipes). A person must delete these
   * packages.
   */
  readonly orphaned: readonly string[];
}

/** Compares generated files in memory with the files on the disk, and finds stale files in their packages. */
export function compareFiles(files: FileTexts): Drift {
  const changed = [...files].filter(
    ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  );
  const present = packagesOf(files.keys()).flatMap((folder) => filesBelow(join(folder, 'src', 'generated')));
  return {
    changed: changed.map(([path]) => path).sort(),
    stale: present.filter((path) => !files.has(path)).sort(),
    orphaned: [],
  };
}

/** Finds packages in the output folder for which the generator wrote nothing, because their connector was deleted. */
export function compareFolder(paths: Iterable<string>, out: string): Drift {
  const packages = new Set(packagesOf(paths));
  const obsolete = generatedPackages(out).filter((folder) => !packages.has(folder));
  return {
    changed: [],
    stale: obsolete.filter((folder) => !hasRecipes(folder)),
    orphaned: obsolete.filter(hasRecipes),
  };
}

const packagesOf = (paths: Iterable<string>): readonly string[] =>
  [...paths].filter((path) => basename(path) === 'package.json').map((path) => dirname(path));

/** Writes changed files to the disk and deletes stale ones. */
export function applyDrift(files: FileTexts, { changed, stale }: Drift): void {
  for (const folder of new Set(changed.map((path) => dirname(path)))) mkdirSync(folder, { recursive: true });
  for (const path of changed) writeFileSync(path, files.get(path) ?? '');
  for (const path of stale) rmSync(path, { recursive: true });
}

function generatedPackages(out: string): readonly string[] {
  if (!existsSync(out)) return [];
  return readdirSync(out)
    .map((name) => join(out, name))
    .filter((folder) => startsWithBanner(join(folder, 'src', 'generated', 'schemas.ts')))
    .sort();
}

const hasRecipes = (folder: string): boolean => existsSync(join(folder, 'src', 'recipes'));

function startsWithBanner(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').startsWith(BANNER);
}

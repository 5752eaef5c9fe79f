import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds the nearest file or folder of this name in a folder's parents. Undefined if no parent contains it. */
export function findAbove(folder: string, name: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  const path = join(above, name);
  return existsSync(path) ? path : findAbove(above, name);
}

/** Lists all files in a folder and its subfolders, sorted by path. Empty if the folder does not exist. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

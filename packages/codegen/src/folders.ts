import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest file or folder of that name in one of the folders that hold this one; undefined when there is none. */
export function findAbove(folder: string, name: string): string | undefined {
  const above = dirname(folder);
  if (above === folder) return undefined;
  const path = join(above, name);
  return existsSync(path) ? path : findAbove(above, name);
}

/** Every file in a folder and its folders, in the order of paths; none when there is no such folder. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

import { statSync } from 'node:fs';

/** Checks whether a path is a folder, or a symbolic link to one. False if the path cannot be read. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

import { accessSync, constants, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../errors.js';

export interface DataFolder {
  /** Removes the folders that this call made, unless they have files. */
  readonly undo: () => void;
}

function make(folder: string): string | undefined {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return made;
  } catch (error) {
    throw new ServiceError(
      'invalid_request',
      `The data folder ${folder} cannot be created. Make its parent writable for the service, or set SVC_DATA.`,
      undefined,
      { cause: error },
    );
  }
}

/** Removes empty folders, from `folder` up to `first`. A folder that is not empty stays, with its parents. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== first) removeEmpty(path.dirname(folder), first);
}

/** Makes the folder of the database and the key file, readable for the service alone. Throws when it cannot. */
export function makeDataFolder(folder: string): DataFolder {
  const made = make(folder);
  return {
    undo: () => {
      if (made !== undefined) removeEmpty(path.resolve(folder), path.resolve(made));
    },
  };
}

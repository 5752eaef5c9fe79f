import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../errors.js';

export interface DataFolder {
  /** Removes the folders that `makeDataFolder` created, unless they contain files. Called if the start fails. */
  readonly undo: () => void;
}

function adviceFor(folder: string): string {
  if (existsSync(folder) && !statSync(folder).isDirectory())
    return `The data folder ${folder} is a file. Set SVC_DATA to a folder.`;
  const user = process.getuid?.();
  const owner = user === undefined ? 'its user' : `the user of the service: chown -R ${user} ${folder}`;
  return existsSync(folder)
    ? `The service cannot use the data folder ${folder}. Give the folder to ${owner}, or set SVC_DATA to another folder.`
    : `The data folder ${folder} cannot be created. Make its parent folder writable for the service, or set SVC_DATA to another folder.`;
}

const unusable = (folder: string, cause: unknown): ServiceError =>
  new ServiceError('invalid_request', adviceFor(folder), undefined, { cause });

/**
 * Throws an error with advice if the current user may not read and write the data folder, which contains the database
 * and the key file.
 */
export function checkDataFolder(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
}

const isFolder = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Creates a folder and its missing ancestors. Returns the first folder that it created. Does not use the option
 * `recursive` of `mkdirSync`, because that never returns where no folder can be created, such as in /proc or in a
 * deleted working directory.
 */
function makeFolders(folder: string): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = path.dirname(folder);
  const first = parent === folder ? undefined : makeFolders(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Ignores the error if another process has created the folder meanwhile.
    if (!isFolder(folder)) throw error;
  }
  return first ?? folder;
}

function make(folder: string): string | undefined {
  let made: string | undefined;
  try {
    made = makeFolders(folder);
  } catch (error) {
    throw unusable(folder, error);
  }
  checkDataFolder(folder);
  return made;
}

/** Removes empty folders, from `folder` up to its ancestor `first`. Stops at the first folder that is not empty. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== first) removeEmpty(path.dirname(folder), first);
}

/**
 * Creates the data folder, which will contain the database and the key file. Only the service's user can access it.
 * Throws if the folder cannot be created.
 */
export function makeDataFolder(folder: string): DataFolder {
  const made = make(folder);
  return {
    undo: () => {
      if (made !== undefined) removeEmpty(path.resolve(folder), path.resolve(made));
    },
  };
}

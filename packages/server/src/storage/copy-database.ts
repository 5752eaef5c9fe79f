import { existsSync, statSync } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../errors.js';
import { systemReason } from '../text/system-reason.js';
import { translateErrors } from './sqlite-error.js';
import type { SqliteRunner } from './sqlite-thread.js';

/** Error codes of file systems that do not support hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const alreadyExists = (file: string) =>
  new ServiceError('conflict', `The file ${file} already exists. Use a new file name.`);

function checkTarget(file: string): void {
  if (existsSync(file)) throw alreadyExists(file);
  const folder = path.dirname(path.resolve(file));
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  throw new ServiceError(
    'invalid_request',
    `There is no folder ${folder}. Create the folder, or use another path.`,
  );
}

async function remove(partial: string): Promise<void> {
  for (const each of [partial, `${partial}-journal`]) if (existsSync(each)) await rm(each);
}

// Throws if another process has replaced the partial copy. A concurrent backup with the same file name deletes this
// partial file as a leftover and creates its own.
async function checkOwn(copy: FileHandle, partial: string): Promise<void> {
  if ((await stat(partial)).ino === (await copy.stat()).ino) return;
  throw new ServiceError('conflict', `Another backup is writing ${partial}. Use a new file name.`);
}

// Writes the copy to a temporary file with `vacuum into`. The copy contains the data as they were when the statement
// began.
async function write(runner: SqliteRunner, partial: string): Promise<void> {
  const copy = await open(partial, 'wx', 0o600);
  try {
    await translateErrors(runner.run({ sql: 'vacuum into ?', parameters: [partial], inTransaction: false }));
    await copy.sync();
    await checkOwn(copy, partial);
  } finally {
    await copy.close();
  }
}

// Gives the complete copy its final name by creating a hard link, because that never overwrites an existing file.
async function giveName(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if (existsSync(file)) throw alreadyExists(file);
    if (!NO_LINKS.includes(codeOf(error))) throw error;
    return rename(partial, file);
  }
  await rm(partial);
}

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  await opened.sync();
  await opened.close();
}

/** Copies the database into a new file. The file appears only when the copy is complete and flushed to the disk. */
export async function copyDatabase(runner: SqliteRunner, file: string): Promise<void> {
  checkTarget(file);
  const partial = `${file}.partial`;
  try {
    await remove(partial);
    await write(runner, partial);
    await giveName(partial, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await remove(partial);
    if (error instanceof ServiceError) throw error;
    const message = `The file ${file} cannot be written (${systemReason(error)}). Check the folder and the disk, or use a file in another folder.`;
    throw new ServiceError('invalid_request', message, undefined, { cause: error });
  }
}

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 8 * 2 ** 30;

const makeFolder = (where: string): string => mkdtempSync(path.join(where, 'svc-run-'));

/**
 * Creates a folder in memory (/dev/shm), so that databases do not wait for a disk. Undefined if memory is short or
 * files in the folder cannot be executed.
 */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM_BYTES) return undefined;
    const folder = makeFolder(MEMORY);
    const program = path.join(folder, 'runs');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // Falls back to the disk, because the system has no /dev/shm.
  }
  return undefined;
}

/** Creates a folder for the temporary files of this process and its children, and deletes it at exit. */
export function takeTemporaryFolder(): void {
  const folder = folderInMemory() ?? makeFolder(tmpdir());
  // Other users may enter the folder, because a database server that runs as another user has its own folder in it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // Retries the deletion, because after a failed run a child process may still write into the folder.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}

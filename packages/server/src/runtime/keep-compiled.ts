import { statSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';

/** Of the folder of data. */
export const COMPILED = 'compiled';

const OTHERS_WRITE = 0o022;

/** Where the data is, as far as that can be known before anything that reads settings is loaded. */
function dataFolder(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const at = args.findLastIndex((arg) => arg === '--data' || arg.startsWith('--data='));
  const flag = args[at]?.startsWith('--data=') ? args[at]?.slice('--data='.length) : args[at + 1];
  return (at === -1 ? undefined : flag) || env['SVC_DATA'] || './data';
}

// Whoever can write there could put code of theirs into the service. Where there is no such user, nothing is kept.
function isOurs(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return (
    stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & OTHERS_WRITE) === 0
  );
}

/**
 * Keeps what Node compiles of the service beside its data, so that the next start need not compile it again. A start that is
 * refused leaves nothing behind: the folder is made by one that became ready, and filled by the next, when it settles or ends.
 */
export function keepCompiled(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const folder = path.join(dataFolder(args, env), COMPILED);
  if (isOurs(folder)) enableCompileCache(folder);
}

/** Writes it down now, and not only when the process ends. */
export const writeCompiled = (): void => flushCompileCache();

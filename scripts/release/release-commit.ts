import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isAnythingReleased } from './released.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Runs git and returns its output. Undefined if there is no repository, or if its history is too short. */
export function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the hash of the last release's commit: the last commit that changed the version of a package. Only a release
 * changes versions. Undefined before the first release.
 */
export function findReleaseCommit(): string | undefined {
  if (!isAnythingReleased()) return undefined;
  return (
    git('log', '-1', '--format=%H', '-G"version": *"', '--', ':(glob)packages/**/package.json') || undefined
  );
}

import { spawnSync } from 'node:child_process';
import { isFull } from './rounds.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Seed of the first generated case. */
    readonly seed: number;
  }
}

const OF_FULL_RUNS = 20_261_120;

/**
 * Quick runs take the part of the generated cases that belongs to their commit: another one for each, and the same
 * everywhere, so that what fails here fails everywhere. SVC_TEST_SEED takes one again.
 */
export function seedOfRun(given = process.env['SVC_TEST_SEED']): number {
  if (given !== undefined) return Number(given);
  if (isFull) return OF_FULL_RUNS;
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' });
  const commit = /^[0-9a-f]{7}/.exec(stdout ?? '')?.[0];
  return commit === undefined ? OF_FULL_RUNS : Number.parseInt(commit, 16);
}

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
 * Seed of the generated test cases. Quick runs derive the seed from the Git commit: each commit tests other cases, and
 * every machine tests equal cases. `SVC_TEST_SEED` repeats the cases of an earlier run.
 */
export function seedOfRun(given = process.env['SVC_TEST_SEED']): number {
  if (given !== undefined) return Number(given);
  if (isFull) return OF_FULL_RUNS;
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' });
  const commit = /^[0-9a-f]{7}/.exec(stdout ?? '')?.[0];
  return commit === undefined ? OF_FULL_RUNS : Number.parseInt(commit, 16);
}

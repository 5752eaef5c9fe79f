import { globSync } from 'node:fs';
import path from 'node:path';
import { isFull } from './rounds.js';

const ROOT = path.join(import.meta.dirname, '../..');

interface Turns {
  /** Files that could run on both databases, as patterns. */
  readonly among: readonly string[];
  /** Those that do not anyway. */
  readonly except: readonly string[];
  readonly seed: number;
}

/**
 * The files whose turn it is on one database alone: every second one, and the others on the other one; which ones, changes with
 * the seed. `npm test` sets SVC_TEST_TURNS; without it a file that is named runs on both, as all do in full runs.
 */
export function inTurns({ among, except, seed }: Turns): Readonly<Record<'sqlite' | 'postgres', string[]>> {
  if (process.env['SVC_TEST_TURNS'] !== '1' || isFull) return { sqlite: [], postgres: [] };
  const files = globSync([...among], { cwd: ROOT, exclude: [...except] }).sort();
  return {
    sqlite: files.filter((_, n) => (n + seed) % 2 === 0),
    postgres: files.filter((_, n) => (n + seed) % 2 === 1),
  };
}

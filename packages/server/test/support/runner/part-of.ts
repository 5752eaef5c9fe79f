import { isFull } from './rounds.js';
import { seedOfRun } from './seed-of-run.js';

/**
 * Returns all test cases in full runs. Quick runs return `count` of them, which change with each commit and each
 * `offset`.
 */
export function partOf<Case>(cases: readonly Case[], count: number, offset = 0): readonly Case[] {
  if (isFull) return cases;
  const first = (seedOfRun() + offset) % cases.length;
  return [...cases, ...cases].slice(first, first + count);
}

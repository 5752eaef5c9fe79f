import { isFull } from './rounds.js';
import { seedOfRun } from './seed-of-run.js';

/** Quick runs take so many of the cases, others with each commit and for each `turn`; full runs take all. */
export function partOf<Case>(cases: readonly Case[], count: number, turn = 0): readonly Case[] {
  if (isFull) return cases;
  const first = (seedOfRun() + turn) % cases.length;
  return [...cases, ...cases].slice(first, first + count);
}

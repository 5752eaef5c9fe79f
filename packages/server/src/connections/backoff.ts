import { LRUCache } from 'lru-cache';
import { atMost } from '../concurrency/at-most.js';
import { steady } from '../concurrency/steady.js';

/** Delays of retries, by key. */
export interface Backoff {
  /** Milliseconds until the next attempt is allowed; 0 if it is allowed now. */
  waitOf(key: string): number;
  /** Counts a failure and gives the wait in milliseconds, at least `retryAfterMs`. */
  fail(key: string, retryAfterMs: number): number;
  succeed(key: string): void;
}

const FIRST_MS = 1000;
const LONGEST_MS = 5 * 60_000;

/** Waits with full jitter: up to 1 s, 2 s, 4 s and so on, at most 5 min. */
export function createBackoff({
  now: clock,
  jitter,
}: {
  readonly now: () => number;
  /** Gives a number from 0 (inclusive) to 1 (exclusive). */
  readonly jitter: () => number;
}): Backoff {
  const now = steady(clock);
  const failures = new LRUCache<string, { count: number; until: number }>(atMost(10_000));
  return {
    waitOf: (key) => Math.max(0, (failures.get(key)?.until ?? 0) - now()),
    fail: (key, retryAfterMs) => {
      const count = (failures.get(key)?.count ?? 0) + 1;
      const wait = Math.max(jitter() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (count - 1)), retryAfterMs);
      failures.set(key, { count, until: now() + wait });
      return wait;
    },
    succeed: (key) => {
      failures.delete(key);
    },
  };
}

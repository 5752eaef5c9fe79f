import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

export interface BackoffParts {
  readonly now: () => number;
  /** A number from 0 up to 1. */
  readonly jitter: () => number;
}

/** When the next try of something that failed is allowed. */
export interface Backoff {
  /** Milliseconds to wait; 0 when a try is allowed. */
  waitOf(key: string): number;
  /** Counts a failure; gives the wait. A longer wait that the server asked for is kept to. */
  fail(key: string, retryAfterMs: number): number;
  succeed(key: string): void;
}

const FIRST_MS = 1000;
const LONGEST_MS = 5 * 60_000;

/** Full jitter: anywhere up to 1 s, 2 s, 4 s and so on, 5 min at most. */
export function createBackoff({ now: clock, jitter }: BackoffParts): Backoff {
  const now = createMonotonicClock(clock);
  const failures = new LRUCache<string, { count: number; until: number }>(entryLimit(10_000));
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

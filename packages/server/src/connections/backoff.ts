import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

const FIRST_MS = 1000;
const MAX_MS = 5 * 60_000;

/**
 * Creates an exponential backoff with full jitter: random waits of up to 1 s, 2 s, 4 s and so on, at most 5 minutes.
 */
export function createBackoff({
  now: clock,
  jitter,
}: {
  readonly now: () => number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  readonly jitter: () => number;
}) {
  const now = createMonotonicClock(clock);
  const failures = new LRUCache<string, { count: number; until: number }>(entryLimit(10_000));

  /** Returns the milliseconds until the next attempt is allowed; 0 if it is allowed now. */
  function waitOf(key: string): number {
    return Math.max(0, (failures.get(key)?.until ?? 0) - now());
  }

  /** Counts a failed attempt. Returns the wait until the next attempt in milliseconds, at least `retryAfterMs`. */
  function fail(key: string, retryAfterMs: number): number {
    const count = (failures.get(key)?.count ?? 0) + 1;
    const wait = Math.max(jitter() * Math.min(MAX_MS, FIRST_MS * 2 ** (count - 1)), retryAfterMs);
    failures.set(key, { count, until: now() + wait });
    return wait;
  }

  /** Returns the number of failed attempts since the last success. */
  const countOf = (key: string): number => failures.get(key)?.count ?? 0;

  function succeed(key: string): void {
    failures.delete(key);
  }

  return { waitOf, fail, countOf, succeed };
}

export type Backoff = ReturnType<typeof createBackoff>;

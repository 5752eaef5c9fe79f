import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

export interface FailureCountsOptions {
  /** Number of failures per minute and key, after which further attempts with the same key are refused. */
  readonly limit: number;
  readonly now: () => number;
}

const WINDOW_MS = 60_000;
// Maximum number of keys in memory. Callers choose the keys and could invent any number, so the least recently used
// keys are evicted.
const MAX_KEYS = 10_000;

/** Counts the failures of the last minute for each key. A key names who or what fails, such as an actor or a host. */
export function createFailureCounts({ limit, now: clock }: FailureCountsOptions) {
  const now = createMonotonicClock(clock);
  const failures = new LRUCache<string, readonly number[]>({
    ...entryLimit(MAX_KEYS),
    ttl: WINDOW_MS,
    perf: { now },
    ttlResolution: 0,
  });
  const reserved = new Map<string, number>();
  const recent = (key: string) => (failures.get(key) ?? []).filter((time) => time > now() - WINDOW_MS);

  function release(key: string): void {
    const left = (reserved.get(key) ?? 0) - 1;
    if (left > 0) reserved.set(key, left);
    else reserved.delete(key);
  }

  return {
    /**
     * Returns the seconds until an attempt with this key (such as an actor or a host) is allowed again. Returns
     * `undefined` if it is allowed now.
     */
    retryAfter: (key: string): number | undefined => {
      const free = limit - (reserved.get(key) ?? 0);
      if (free <= 0) return 1;
      const oldest = recent(key).at(-free);
      return oldest === undefined ? undefined : Math.max(1, Math.ceil((oldest + WINDOW_MS - now()) / 1000));
    },
    add: (key: string): void => {
      failures.set(key, [...recent(key), now()].slice(-limit));
    },
    /**
     * Counts a running attempt with this key as a failure until its outcome is known. The returned function removes
     * this count.
     */
    reserve: (key: string): (() => void) => {
      reserved.set(key, (reserved.get(key) ?? 0) + 1);
      return () => release(key);
    },
  };
}

export type FailureCounts = ReturnType<typeof createFailureCounts>;

import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

export interface FailureCountsOptions {
  /** Failures a minute after which a key has to wait. */
  readonly limit: number;
  readonly now: () => number;
}

const WINDOW_MS = 60_000;
// Callers invent keys, so that their number is bounded: the keys with the oldest failures are evicted first.
const MAX_KEYS = 10_000;

/** Counts the failures of the last minute by key. */
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
    /** Seconds until the key may try again; `undefined` when it may now. */
    retryAfter: (key: string): number | undefined => {
      const free = limit - (reserved.get(key) ?? 0);
      if (free <= 0) return 1;
      const oldest = recent(key).at(-free);
      return oldest === undefined ? undefined : Math.max(1, Math.ceil((oldest + WINDOW_MS - now()) / 1000));
    },
    add: (key: string): void => {
      failures.set(key, [...recent(key), now()].slice(-limit));
    },
    /** Counts an attempt with an unknown outcome as a failure, until the returned function is called. */
    reserve: (key: string): (() => void) => {
      reserved.set(key, (reserved.get(key) ?? 0) + 1);
      return () => release(key);
    },
  };
}

export type FailureCounts = ReturnType<typeof createFailureCounts>;

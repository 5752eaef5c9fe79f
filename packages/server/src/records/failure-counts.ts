import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

/** Failures of the last minute, by whatever they are counted for. */
export interface FailureCounts {
  /** Seconds until the key may try again; `undefined` when it may now. */
  retryAfter(key: string): number | undefined;
  add(key: string): void;
  /** For a try whose end is not known: it counts as a failure until what this gives is called. */
  reserve(key: string): () => void;
}

export interface FailureCountsOptions {
  /** So many a minute are free. */
  readonly limit: number;
  readonly now: () => number;
}

const WINDOW_MS = 60_000;
// Keys are invented by whoever asks, so they may not fill the memory: those that failed longest ago are forgotten first.
const MOST_KEYS = 10_000;

export function createFailureCounts({ limit, now: clock }: FailureCountsOptions): FailureCounts {
  const now = createMonotonicClock(clock);
  const failures = new LRUCache<string, readonly number[]>({
    ...entryLimit(MOST_KEYS),
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
    retryAfter: (key) => {
      const free = limit - (reserved.get(key) ?? 0);
      if (free <= 0) return 1;
      const oldest = recent(key).at(-free);
      return oldest === undefined ? undefined : Math.max(1, Math.ceil((oldest + WINDOW_MS - now()) / 1000));
    },
    add: (key) => {
      failures.set(key, [...recent(key), now()].slice(-limit));
    },
    reserve: (key) => {
      reserved.set(key, (reserved.get(key) ?? 0) + 1);
      return () => release(key);
    },
  };
}

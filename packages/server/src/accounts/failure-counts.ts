import { LRUCache } from 'lru-cache';

/** Failures of the last minute, by whatever they are counted for. */
export interface FailureCounts {
  /** Seconds until the key may try again; `undefined` when it may now. */
  retryAfter(key: string): number | undefined;
  add(key: string): void;
}

export interface FailureCountsOptions {
  /** So many a minute are free. */
  readonly limit: number;
  readonly now: () => number;
}

const WINDOW_MS = 60_000;
// Keys are invented by whoever asks, so they may not fill the memory: those that failed longest ago are forgotten first.
const MOST_KEYS = 10_000;

export function createFailureCounts({ limit, now }: FailureCountsOptions): FailureCounts {
  const failures = new LRUCache<string, readonly number[]>({
    max: MOST_KEYS,
    ttl: WINDOW_MS,
    perf: { now },
    ttlResolution: 0,
  });
  const recent = (key: string) => (failures.get(key) ?? []).filter((time) => time > now() - WINDOW_MS);

  return {
    retryAfter: (key) => {
      const oldest = recent(key).at(-limit);
      return oldest === undefined ? undefined : Math.max(1, Math.ceil((oldest + WINDOW_MS - now()) / 1000));
    },
    add: (key) => {
      failures.set(key, [...recent(key), now()].slice(-limit));
    },
  };
}

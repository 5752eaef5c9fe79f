import type { Retry } from '@svc/catalog';
import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/**
 * Retry budget per connection. Allows retries for 10 % of its recent calls, and at least three per 10 s (rule F3 in
 * security-rules.md).
 */
export interface RetryBudget {
  countCall(connectionId: string): void;
  /** Takes one retry from the connection's budget. Returns false if the budget is used up. */
  take(connectionId: string): boolean;
}

interface Counter {
  readonly since: number;
  calls: number;
  retries: number;
}

const WINDOW_MS = 10_000;
const RETRIES_PER_CALL = 0.1;
const MIN_RETRIES = 3;
const MAX_COUNTERS = 10_000;

export function createRetryBudget(now: () => Date): RetryBudget {
  const counters = new LRUCache<string, Counter>(entryLimit(MAX_COUNTERS));

  const counterOf = (connectionId: string): Counter => {
    const time = now().getTime();
    const current = counters.get(connectionId);
    if (current && time - current.since < WINDOW_MS) return current;
    const fresh = { since: time, calls: 0, retries: 0 };
    counters.set(connectionId, fresh);
    return fresh;
  };

  return {
    countCall: (connectionId) => {
      counterOf(connectionId).calls += 1;
    },
    take: (connectionId) => {
      const counter = counterOf(connectionId);
      if (counter.retries >= Math.max(MIN_RETRIES, counter.calls * RETRIES_PER_CALL)) return false;
      counter.retries += 1;
      return true;
    },
  };
}

/**
 * Returns the delay before the next attempt in milliseconds: the upstream's `Retry-After`, or otherwise a random delay
 * (full jitter). A `Retry-After` of 0 is ignored, because a wrong clock may have produced it from a date. `attempt`:
 * number of the failed attempt, from 1. Returns `undefined` after the last attempt, or if the delay would be too long.
 */
export function retryDelay(
  attempt: number,
  retryAfter: number | undefined,
  { retry, random }: { readonly retry: Retry; readonly random: () => number },
): number | undefined {
  if (attempt >= retry.attempts) return undefined;
  if (retryAfter === undefined || retryAfter === 0)
    return random() * Math.min(retry.capMs, retry.baseMs * 2 ** (attempt - 1));
  return retryAfter * 1000 <= retry.capMs ? retryAfter * 1000 : undefined;
}

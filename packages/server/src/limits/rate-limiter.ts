import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** Rate limit of all callers of one kind, such as all applications. The burst is twice `perSecond`. */
export interface Rate {
  /** Name of the rate limit, which is also the kind of its keys, such as `application`. */
  readonly name: string;
  readonly perSecond: number;
}

/** Token bucket of one key, such as one application, in this process. */
export interface Bucket {
  readonly key: string;
  readonly rate: Rate;
  /** Number of calls that the bucket allows now. Negative if all processes together have exceeded the limit. */
  calls: number;
  /** Time of the last refill of the bucket, in milliseconds of the `now` clock. */
  at: number;
  /** Number of calls that the shared bucket in the database still allowed when this process last contacted it. */
  elsewhere: number;
}

/** Rules by which several processes share one rate limit. A part is a fraction of the limit, from 0 to 1. */
export interface Sharing {
  /**
   * Returns the part of the burst, from 0 to 1, that this process may use before it first contacts the shared bucket in
   * the database.
   */
  readonly startingPart: () => number;
  /**
   * Returns the share of the refill rate, from 0 to 1, at which this process refills its own bucket until it next
   * reports to the database, where all processes share one bucket per key.
   */
  readonly fillingPart: (bucket: Bucket) => number;
  /** Called for each rate-limited call, including calls that the limit refuses. */
  readonly onCall: (bucket: Bucket) => void;
}

export interface Taken {
  readonly isAllowed: boolean;
  /** Number of further calls that would be allowed right now. */
  readonly remaining: number;
  /** Seconds until the rate limit allows the next call. */
  readonly seconds: number;
}

export interface RateLimiterOptions {
  readonly rate: Rate;
  /** Returns milliseconds since any fixed time. */
  readonly now: () => number;
  /** Rules for several processes that share the limit. Absent if this process is the only one. */
  readonly sharing?: Sharing | undefined;
  /** Called with the name of the rate limit for each call that it refuses. */
  readonly onRefused?: ((limit: string) => void) | undefined;
}

export const BURST_SECONDS = 2;
export const burstOf = ({ perSecond }: Rate): number => perSecond * BURST_SECONDS;

// Maximum number of cached buckets. The bucket of the key that has been idle longest is evicted. This is usually
// harmless, because that bucket has refilled. Only a caller that invents many keys makes the limiter evict buckets
// before they refill.
const MAX_KEYS = 50_000;

const ALONE: Sharing = { startingPart: () => 1, fillingPart: () => 1, onCall: () => undefined };

/**
 * Creates a token-bucket rate limiter, which counts the calls of each key separately (rule A9 in security-rules.md).
 */
export function createRateLimiter({ rate, now, sharing = ALONE, onRefused }: RateLimiterOptions) {
  const buckets = new LRUCache<string, Bucket>(entryLimit(MAX_KEYS));
  const burst = burstOf(rate);
  let calls = 0;
  let refused = 0;

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key);
    if (known) return known;
    const start = Math.max(1, burst * sharing.startingPart());
    const bucket = { key, rate, calls: start, at: now(), elsewhere: burst - start };
    buckets.set(key, bucket);
    return bucket;
  }

  function fill(bucket: Bucket): void {
    const time = now();
    const full = Math.max(1, burst * sharing.startingPart());
    const more = (Math.max(0, time - bucket.at) / 1000) * rate.perSecond * sharing.fillingPart(bucket);
    bucket.at = time;
    if (bucket.calls < full) bucket.calls = Math.min(full, bucket.calls + more);
  }

  const toTaken = (isAllowed: boolean, { calls, elsewhere }: Bucket): Taken => ({
    isAllowed,
    remaining: isAllowed ? Math.max(0, Math.min(burst, Math.floor(calls + elsewhere))) : 0,
    seconds: Math.max(1, Math.ceil((1 - calls) / rate.perSecond)),
  });

  function take(key: string): Taken {
    const bucket = bucketOf(key);
    fill(bucket);
    const isAllowed = bucket.calls >= 1;
    calls += 1;
    if (isAllowed) bucket.calls -= 1;
    else {
      refused += 1;
      onRefused?.(rate.name);
    }
    sharing.onCall(bucket);
    return toTaken(isAllowed, bucket);
  }

  /**
   * Subtracts calls from the bucket of a key that `take` has just allowed, for work that costs as much as several
   * calls. The bucket may become negative.
   */
  function charge(key: string, extra: number): void {
    const bucket = bucketOf(key);
    bucket.calls -= extra;
    sharing.onCall(bucket);
  }

  /** Returns true if `take` would refuse a call of this key. Does not count a call. */
  function isUsedUp(key: string): boolean {
    const bucket = buckets.get(key);
    if (bucket === undefined) return false;
    fill(bucket);
    return bucket.calls < 1;
  }

  /** Returns the numbers of calls and of refused calls since the start, for all keys together. */
  const counts = () => ({ calls, refused });

  return { rate, take, charge, isUsedUp, counts };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** Allowed calls of a key: a number per second, and twice that number as a burst. */
export interface Rate {
  /** Kind of the keys, such as `application`. */
  readonly name: string;
  readonly perSecond: number;
}

/** Token bucket of a key in this process. */
export interface Bucket {
  readonly key: string;
  readonly rate: Rate;
  /** Available calls. Negative if all processes together have exceeded the limit. */
  calls: number;
  /** Time of `calls`, in milliseconds of the clock. */
  at: number;
  /** Calls that the shared bucket still allowed at the last exchange. */
  elsewhere: number;
}

/** Sharing of limits among processes. A part is a fraction of the common limit, from 0 to 1. */
export interface Sharing {
  /** Part that a process may use before its first exchange. */
  readonly startingPart: () => number;
  /** Part of the rate at which a bucket fills between two exchanges with the shared bucket. */
  readonly fillingPart: (bucket: Bucket) => number;
  /** Must be called for every call, including refused ones. */
  readonly onCall: (bucket: Bucket) => void;
}

export interface Taken {
  readonly isAllowed: boolean;
  /** Calls that could follow immediately. */
  readonly remaining: number;
  /** Time until the next allowed call. */
  readonly seconds: number;
}

export interface RateLimiterOptions {
  readonly rate: Rate;
  /** Milliseconds since any fixed time. */
  readonly now: () => number;
  /** Absent if this process is the only one. */
  readonly sharing?: Sharing | undefined;
}

export const BURST_SECONDS = 2;
export const burstOf = ({ perSecond }: Rate): number => perSecond * BURST_SECONDS;

// An evicted key was idle for longer than its bucket needs to refill, unless callers invent keys.
const MOST_KEYS = 50_000;

const ALONE: Sharing = { startingPart: () => 1, fillingPart: () => 1, onCall: () => undefined };

/** Counts the calls of each key (rule A9). */
export function createRateLimiter({ rate, now, sharing = ALONE }: RateLimiterOptions) {
  const buckets = new LRUCache<string, Bucket>(entryLimit(MOST_KEYS));
  const burst = burstOf(rate);

  function bucketOf(key: string): Bucket {
    const known = buckets.get(key);
    if (known) return known;
    const calls = Math.max(1, burst * sharing.startingPart());
    const bucket = { key, rate, calls, at: now(), elsewhere: burst - calls };
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
    if (isAllowed) bucket.calls -= 1;
    sharing.onCall(bucket);
    return toTaken(isAllowed, bucket);
  }

  /** True if `take` would be refused. */
  function isUsedUp(key: string): boolean {
    const bucket = buckets.get(key);
    if (bucket === undefined) return false;
    fill(bucket);
    return bucket.calls < 1;
  }

  return { rate, take, isUsedUp };
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

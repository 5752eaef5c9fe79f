import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';

/** So many calls a second of one key, and twice as many at once after a pause. */
export interface Rate {
  /** What is limited, such as `application`. */
  readonly name: string;
  readonly perSecond: number;
}

/** The calls that a key may make here. */
export interface Bucket {
  readonly key: string;
  readonly rate: Rate;
  /** Below zero where more were made than all processes together may make. */
  calls: number;
  /** Of the clock, when `calls` was so many. */
  at: number;
  /** Calls that this process would get if it asked for them, as far as it knows. */
  elsewhere: number;
}

/** How several processes share the limits. A part is of the limit as all of them have it together, from 0 to 1. */
export interface Sharing {
  /** What a process may use before it has asked the others. */
  readonly startingPart: () => number;
  /** How fast a bucket fills by itself. */
  readonly fillingPart: (bucket: Bucket) => number;
  /** Must be told of every call, the refused ones too. */
  readonly onCall: (bucket: Bucket) => void;
}

export interface Taken {
  readonly isAllowed: boolean;
  /** Calls that could follow at once. */
  readonly remaining: number;
  /** Until there may be one more. */
  readonly seconds: number;
}

/** Rule A9: counts the calls of each key. */
export interface RateLimiter {
  readonly rate: Rate;
  take(key: string): Taken;
  /** Whether `take` would be refused. */
  isUsedUp(key: string): boolean;
}

export interface RateLimiterOptions {
  readonly rate: Rate;
  /** Milliseconds, from whatever moment. */
  readonly now: () => number;
  /** Absent where this process is the only one. */
  readonly sharing?: Sharing | undefined;
}

export const BURST_SECONDS = 2;
export const burstOf = ({ perSecond }: Rate): number => perSecond * BURST_SECONDS;

// A key that is forgotten has been quiet for longer than its bucket takes to be full again, unless keys are invented.
const MOST_KEYS = 50_000;

const ALONE: Sharing = { startingPart: () => 1, fillingPart: () => 1, onCall: () => undefined };

export function createRateLimiter({ rate, now, sharing = ALONE }: RateLimiterOptions): RateLimiter {
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

  return {
    rate,
    take: (key) => {
      const bucket = bucketOf(key);
      fill(bucket);
      const isAllowed = bucket.calls >= 1;
      if (isAllowed) bucket.calls -= 1;
      sharing.onCall(bucket);
      return toTaken(isAllowed, bucket);
    },
    isUsedUp: (key) => {
      const bucket = buckets.get(key);
      if (bucket === undefined) return false;
      fill(bucket);
      return bucket.calls < 1;
    },
  };
}

import { repeatEvery } from '../concurrency/repeat-every.js';
import type { RateBuckets, RateGrant, RateRequest } from '../storage/rate-buckets-table.js';
import { type Bucket, burstOf, type Sharing } from './rate-limiter.js';

export interface SharedRatesParts {
  readonly rateBuckets: RateBuckets;
  /** Of this process. */
  readonly instanceId: string;
  /** Milliseconds, from whatever moment. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface SharedRates {
  readonly sharing: Sharing;
  /** Asks the others for calls, and gives back what is not used. */
  readonly exchange: () => Promise<void>;
  /** Says that this process is there, and learns how many there are. */
  readonly meet: () => Promise<void>;
  /** Does both again and again, until it is closed. */
  readonly start: () => Promise<{ readonly close: () => Promise<void> }>;
}

interface Lease {
  usedAt: number;
  /** What was there on trust when the others were asked first; `undefined` after their answer. */
  credit: number | undefined;
  hasAnswer: boolean;
  /** Got less than it wanted, so that asking at once again is of no use. */
  isDry: boolean;
}

const EXCHANGE_MS = 200;
const MEET_MS = 1000;
const QUIET_MS = 2000;
// Later than that, the others are out of reach.
const CUT_MS = 2000;
const MOST_WISHES = 1000;
// Below it a process uses what it has without a word to the others: a tenth of the limit for all of them together.
const UNTOLD_PART = 0.1;

const keyOf = ({ rate, key }: Bucket) => `${rate.name} ${key}`;

/**
 * How instances keep one limit together: each takes calls from the bucket in the database, a few at a time and beside the
 * calls that wait for nothing. What an instance uses before it has asked is a part of the limit and is charged then.
 */
export function createSharedRates({ rateBuckets, instanceId, now, onError }: SharedRatesParts): SharedRates {
  const leases = new Map<Bucket, Lease>();
  let instances = 1;
  let answeredAt = now();
  let isFailing = false;
  let exchanging: Promise<void> | undefined;

  const startOf = ({ rate }: Bucket) => Math.max(1, burstOf(rate) / instances);
  const wantedOf = (bucket: Bucket) => Math.max(1, startOf(bucket) / 2);
  const isCut = () => now() - answeredAt > CUT_MS;

  function giveBack(bucket: Bucket): number {
    const used = -Math.max(0, bucket.calls);
    leases.delete(bucket);
    bucket.calls = startOf(bucket);
    bucket.elsewhere = burstOf(bucket.rate) - bucket.calls;
    return used;
  }

  function forget(bucket: Bucket): number {
    leases.delete(bucket);
    return 0;
  }

  // Whoever has asked is behind the others, so that each comes to its turn.
  function wishOf(bucket: Bucket, lease: Lease): Omit<RateRequest, 'key' | 'burst' | 'perSecond'> {
    lease.isDry = true;
    if (now() - lease.usedAt > QUIET_MS)
      return { used: lease.hasAnswer ? giveBack(bucket) : forget(bucket), wanted: 0 };
    leases.delete(bucket);
    leases.set(bucket, lease);
    if (lease.hasAnswer) return { used: 0, wanted: Math.max(0, wantedOf(bucket) - bucket.calls) };
    lease.credit = bucket.calls;
    return { used: Math.max(0, startOf(bucket) - bucket.calls), wanted: wantedOf(bucket) };
  }

  function take(bucket: Bucket, wanted: number, { granted, left }: RateGrant): void {
    const lease = leases.get(bucket);
    if (lease === undefined) return;
    bucket.calls += granted - (lease.credit ?? 0);
    bucket.elsewhere = left;
    Object.assign(lease, { credit: undefined, hasAnswer: true, isDry: granted < wanted });
  }

  async function ask(): Promise<void> {
    const asking = [...leases].slice(0, MOST_WISHES).map(([bucket, lease]) => {
      const { key, rate } = { key: keyOf(bucket), rate: bucket.rate };
      const wish = { ...wishOf(bucket, lease), key, burst: burstOf(rate), perSecond: rate.perSecond };
      return { bucket, wish };
    });
    const needed = asking.filter(({ wish }) => wish.used !== 0 || wish.wanted > 0);
    if (needed.length === 0) return;
    const grants = new Map(
      (await rateBuckets.take(needed.map(({ wish }) => wish))).map((grant) => [grant.key, grant]),
    );
    answeredAt = now();
    isFailing = false;
    for (const { bucket, wish } of needed) {
      const grant = grants.get(wish.key);
      if (grant) take(bucket, wish.wanted, grant);
    }
  }

  function tellOnce(error: unknown): void {
    if (!isFailing) onError(error);
    isFailing = true;
  }

  function exchange(): Promise<void> {
    exchanging ??= ask()
      .catch(tellOnce)
      .finally(() => {
        exchanging = undefined;
      });
    return exchanging;
  }

  async function meet(): Promise<void> {
    instances = Math.max(1, await rateBuckets.heartbeat(instanceId));
    answeredAt = now();
  }

  function onCall(bucket: Bucket): void {
    const known = leases.get(bucket);
    const isLittle = bucket.calls >= startOf(bucket) * (1 - UNTOLD_PART) - 1;
    if (known === undefined && isLittle) return;
    const lease = known ?? { usedAt: 0, credit: undefined, hasAnswer: false, isDry: false };
    lease.usedAt = now();
    leases.set(bucket, lease);
    const isLow = bucket.calls < wantedOf(bucket) / 2;
    if (known === undefined || (isLow && !lease.isDry)) void exchange();
  }

  return {
    sharing: {
      startingPart: () => 1 / instances,
      fillingPart: (bucket) => {
        if (isCut()) return 1 / instances;
        return leases.has(bucket) ? 0 : UNTOLD_PART / instances;
      },
      onCall,
    },
    exchange,
    meet,
    start: async () => {
      await meet();
      const repeated = [
        repeatEvery(EXCHANGE_MS, { work: exchange, onError: tellOnce }),
        repeatEvery(MEET_MS, { work: meet, onError: tellOnce }),
      ];
      return {
        close: async () => {
          await Promise.all(repeated.map(({ close }) => close()));
          await exchanging;
        },
      };
    },
  };
}

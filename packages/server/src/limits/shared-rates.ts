import { repeatEvery } from '../concurrency/repeat-every.js';
import type { Instances } from '../storage/instances-table.js';
import type { RateBuckets, RateRequest, RateResponse } from '../storage/rate-buckets-table.js';
import { type Bucket, burstOf, type Sharing } from './rate-limiter.js';

export interface SharedRatesParts {
  readonly rateBuckets: RateBuckets;
  readonly instances: Pick<Instances, 'heartbeat' | 'delete'>;
  /** Unique id of this process, by which the database counts the running processes. */
  readonly instanceId: string;
  /** Returns milliseconds since any fixed time. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

interface Lease {
  usedAt: number;
  /**
   * Number of calls that this process allows by its own count until the database responds for the first time.
   * `undefined` after that response.
   */
  credit: number | undefined;
  hasResponse: boolean;
  /** True if the database granted fewer calls than requested. Another request would currently be useless. */
  isDry: boolean;
}

const EXCHANGE_MS = 200;
const MEET_MS = 1000;
const QUIET_MS = 2000;
// Time in milliseconds without a database response, after which the database counts as unreachable.
const CUT_OFF_MS = 2000;
const MAX_REQUESTS = 1000;
// Fraction of the limit that all processes together may use before they contact the shared bucket.
const UNREPORTED_PART = 0.1;

const keyOf = ({ rate, key }: Bucket) => `${rate.name} ${key}`;

const isNeeded = ({ used, wanted }: Pick<RateRequest, 'used' | 'wanted'>) => used !== 0 || wanted > 0;

/**
 * Shares rate limits among several processes. Each process takes permits for a few calls at a time from a bucket in the
 * database, in the background. Before its first permits, a process allows calls up to a part of the limit, and
 * subtracts them from the shared bucket afterwards.
 */
export function createSharedRates({
  rateBuckets,
  instances: table,
  instanceId,
  now,
  onError,
}: SharedRatesParts) {
  const leases = new Map<Bucket, Lease>();
  let instances = 1;
  let respondedAt = now();
  let isFailing = false;
  let exchanging: Promise<void> | undefined;

  const startOf = ({ rate }: Bucket) => Math.max(1, burstOf(rate) / instances);
  const wantedOf = (bucket: Bucket) => Math.max(1, startOf(bucket) / 2);
  const isCutOff = () => now() - respondedAt > CUT_OFF_MS;

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

  // Builds the bucket's part of an exchange with the database. Then moves the bucket to the end of the map, because an
  // exchange contains a limited number of buckets and takes the first ones.
  function requestOf(bucket: Bucket, lease: Lease): Omit<RateRequest, 'key' | 'burst' | 'perSecond'> {
    if (now() - lease.usedAt > QUIET_MS)
      return { used: lease.hasResponse ? giveBack(bucket) : forget(bucket), wanted: 0 };
    leases.delete(bucket);
    leases.set(bucket, lease);
    if (lease.hasResponse) return { used: 0, wanted: Math.max(0, wantedOf(bucket) - bucket.calls) };
    lease.credit = bucket.calls;
    return { used: Math.max(0, startOf(bucket) - bucket.calls), wanted: wantedOf(bucket) };
  }

  function take(bucket: Bucket, wanted: number, { granted, left }: RateResponse): void {
    const lease = leases.get(bucket);
    if (lease === undefined) return;
    bucket.calls += granted - (lease.credit ?? 0);
    bucket.elsewhere = left;
    Object.assign(lease, { credit: undefined, hasResponse: true, isDry: granted < wanted });
  }

  async function requestPermits(): Promise<void> {
    const requests = [...leases].slice(0, MAX_REQUESTS).map(([bucket, lease]) => {
      const { key, rate } = { key: keyOf(bucket), rate: bucket.rate };
      const request = { ...requestOf(bucket, lease), key, burst: burstOf(rate), perSecond: rate.perSecond };
      // Until the database responds, another request would be useless.
      lease.isDry = isNeeded(request);
      return { bucket, request };
    });
    const needed = requests.filter(({ request }) => isNeeded(request));
    if (needed.length === 0) return;
    const grants = new Map(
      (await rateBuckets.take(needed.map(({ request }) => request))).map((grant) => [grant.key, grant]),
    );
    respondedAt = now();
    isFailing = false;
    for (const { bucket, request } of needed) {
      const grant = grants.get(request.key);
      if (grant) take(bucket, request.wanted, grant);
    }
  }

  function reportOnce(error: unknown): void {
    if (!isFailing) onError(error);
    isFailing = true;
  }

  /** Takes permits for calls from the shared buckets in the database, and returns unused permits. */
  function exchange(): Promise<void> {
    exchanging ??= requestPermits()
      .catch(reportOnce)
      .finally(() => {
        exchanging = undefined;
      });
    return exchanging;
  }

  /** Reports to the database that this process is running, and reads the number of running processes. */
  async function meet(report = '{}'): Promise<void> {
    instances = Math.max(1, await table.heartbeat({ id: instanceId, report }));
    respondedAt = now();
  }

  function onCall(bucket: Bucket): void {
    const known = leases.get(bucket);
    const isLittle = bucket.calls >= startOf(bucket) * (1 - UNREPORTED_PART) - 1;
    if (known === undefined && isLittle) return;
    const lease = known ?? { usedAt: 0, credit: undefined, hasResponse: false, isDry: false };
    lease.usedAt = now();
    leases.set(bucket, lease);
    const isLow = bucket.calls < wantedOf(bucket) / 2;
    if (known === undefined || (isLow && !lease.isDry)) void exchange();
  }

  /**
   * Starts the background work of shared rate limits: takes permits from the database, and counts the running service
   * processes. Both are repeated until `close` is called. `report` returns the report of this process on its health, as
   * JSON.
   */
  async function start(report: () => string): Promise<{ readonly close: () => Promise<void> }> {
    await meet(report());
    const repeated = [
      repeatEvery(EXCHANGE_MS, { work: exchange, onError: reportOnce }),
      repeatEvery(MEET_MS, { work: () => meet(report()), onError: reportOnce }),
    ];
    return {
      close: async () => {
        await Promise.all(repeated.map(({ close }) => close()));
        await exchanging;
        await table.delete(instanceId).catch(reportOnce);
      },
    };
  }

  const sharing: Sharing = {
    startingPart: () => 1 / instances,
    fillingPart: (bucket) => {
      if (isCutOff()) return 1 / instances;
      return leases.has(bucket) ? 0 : UNREPORTED_PART / instances;
    },
    onCall,
  };
  return { sharing, exchange, meet, start };
}

export type SharedRates = ReturnType<typeof createSharedRates>;

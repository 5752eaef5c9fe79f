import type { Storage } from '../storage/storage.js';
import type { WatchCount } from '../storage/watches-table.js';
import type { DisabledCount } from '../storage/webhook-endpoints-table.js';
import { type CachedCountParts, createCachedCount } from './cached-count.js';

export interface EventCountsParts extends Omit<CachedCountParts<never>, 'count'> {
  readonly storage: Pick<Storage, 'deliveryQueue' | 'watches' | 'webhookEndpoints'>;
}

export interface EventCounts {
  /** Number of deliveries that have not ended, at most 10,000. */
  readonly waiting: number;
  /** Number of disabled endpoints by the reason, at most 10,000 together. */
  readonly disabled: readonly DisabledCount[];
  /** Number of enabled watches by state, at most 10,000 together. */
  readonly watches: readonly WatchCount[];
}

/** Numbers at which the counts stop, so that they are cheap for any number of rows. */
const MOST = 10_000;

/**
 * Creates the counts of all applications: waiting deliveries, disabled endpoints, and enabled watches (polled lists of
 * upstreams).
 */
export const createEventCounts = ({ storage, now, onError }: EventCountsParts) =>
  createCachedCount<EventCounts>({
    count: async () => ({
      waiting: await storage.deliveryQueue.countPending(MOST),
      disabled: await storage.webhookEndpoints.countDisabled(MOST),
      watches: await storage.watches.countStates(MOST),
    }),
    now,
    onError,
  });

import type { Storage } from '../storage/storage.js';
import type { WatchCount } from '../storage/watches-table.js';
import type { DisabledCount } from '../storage/webhook-endpoints-table.js';
import { type CachedCountParts, createCachedCount } from './cached-count.js';

export interface EventCountsParts extends Omit<CachedCountParts<never>, 'count'> {
  readonly storage: Pick<Storage, 'deliveryQueue' | 'watches' | 'webhookEndpoints'>;
}

export interface EventCounts {
  /** Number of webhook deliveries that are not finished, at most 10,000. */
  readonly waiting: number;
  /** Numbers of disabled webhook endpoints by reason, at most 10,000 together. */
  readonly disabled: readonly DisabledCount[];
  /** Number of paused webhook endpoints, whose signing secrets cannot be decrypted, at most 10,000. */
  readonly paused: number;
  /** Numbers of enabled watches (upstream lists that the service polls) by state, at most 10,000 together. */
  readonly watches: readonly WatchCount[];
}

/** Maximum of each count. Counting stops there, so that it stays cheap in a large database. */
const MAX_COUNTED = 10_000;

/**
 * Creates the counts over all applications: unfinished webhook deliveries, disabled and paused webhook endpoints, and
 * enabled watches (upstream lists that the service polls).
 */
export const createEventCounts = ({ storage, now, onError }: EventCountsParts) =>
  createCachedCount<EventCounts>({
    count: async () => ({
      waiting: await storage.deliveryQueue.countPending(MAX_COUNTED),
      disabled: await storage.webhookEndpoints.countDisabled(MAX_COUNTED),
      paused: await storage.webhookEndpoints.countPaused(MAX_COUNTED),
      watches: await storage.watches.countStates(MAX_COUNTED),
    }),
    now,
    onError,
  });

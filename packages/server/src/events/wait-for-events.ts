import { setTimeout as sleep } from 'node:timers/promises';
import { createTtlCache } from '../concurrency/ttl-cache.js';
import { ServiceError } from '../errors.js';
import type { AnyEventType } from '../names/event-types.js';
import type { Page } from '../page.js';
import type { Storage } from '../storage/storage.js';
import type { CheckTypes } from './check-types.js';
import type { EventCursor, EventFilter, EventList, EventRequest, ListedEvent } from './event-list.js';

export interface WaitParts {
  readonly eventList: EventList;
  readonly storage: Pick<Storage, 'eventLeases'>;
  /** All event types, including those of upstream webhooks. */
  readonly eventTypes: readonly AnyEventType[];
  readonly checkTypes: CheckTypes;
  readonly now: () => number;
}

export interface WaitFilter extends EventFilter {
  /** Maximum time in seconds to wait for an event. Afterwards the response is an empty page. */
  readonly wait: number;
}

export interface WaitRequest extends EventRequest<WaitFilter> {
  /** Returns true when the client has disconnected or the service stops. */
  readonly isOver: () => boolean;
}

/** Maximum number of concurrent requests of one application that wait for events in this process. */
export const MAX_WAITING = 10;
/** Interval in milliseconds at which a waiting request looks for a new event. */
const LOOK_MS = 500;
const SHARED_MS = LOOK_MS - 100;
/**
 * Time in milliseconds for which the service still writes events for a reader after its request's wait has ended. If
 * the reader sends the next request later, it may miss events.
 */
const LEASE_MS = 70_000;
/**
 * Minimum extension of a reader's lease, in milliseconds, for which the service writes the new expiry time. Frequent
 * requests therefore cause few writes.
 */
const LEASE_SLACK_MS = 10_000;

const tooManyWait = () =>
  new ServiceError(
    'rate_limited',
    `This application already has the maximum of ${MAX_WAITING} requests that wait for events. Retry when one of these requests has ended.`,
    { retryAfter: 5, limit: 'waiting' },
  );

/** Creates the function that limits how many requests of an application wait for events in this process. */
function createWaitingCounts() {
  const counts = new Map<string, number>();
  return async function counted<Result>(applicationId: string, work: () => Promise<Result>): Promise<Result> {
    const count = counts.get(applicationId) ?? 0;
    if (count >= MAX_WAITING) throw tooManyWait();
    counts.set(applicationId, count + 1);
    try {
      return await work();
    } finally {
      const left = (counts.get(applicationId) ?? 1) - 1;
      if (left > 0) counts.set(applicationId, left);
      else counts.delete(applicationId);
    }
  };
}

/**
 * Creates the function that lists events with long polling: a request waits until there is an event. The service stores
 * only events of wanted types. The types in a request are wanted while it waits and for about a minute afterwards.
 */
export function createWaitForEvents(parts: WaitParts) {
  const { eventList, storage, eventTypes, checkTypes, now } = parts;
  const counted = createWaitingCounts();
  const latest = createTtlCache<EventCursor>({ now, ttlMs: SHARED_MS, lengthOf: () => 0 });

  /** Reads the position of an application's newest event. Concurrent requests of the application share one query. */
  const readLatest = async (applicationId: string): Promise<EventCursor> =>
    latest.get(applicationId) ??
    (await latest.fillOnce(
      applicationId,
      () => eventList.latest(applicationId),
      () => applicationId,
    ));

  async function extendLease(applicationId: string, { types, wait }: WaitFilter): Promise<void> {
    const expiresAt = now() + wait * 1000 + LEASE_MS;
    await storage.eventLeases.extend(applicationId, {
      types: types === undefined ? eventTypes : [...new Set(checkTypes(types.split(','), 'types'))],
      expiresAt,
      unlessAfter: expiresAt - LEASE_SLACK_MS,
    });
  }

  /**
   * Waits until there is an event after `position`. Resolves to false if `end` (milliseconds of `performance.now()`) is
   * reached, the client disconnects, or the service stops.
   */
  async function waitForNewer(
    applicationId: string,
    position: number,
    { end, isOver }: { readonly end: number; readonly isOver: () => boolean },
  ): Promise<boolean> {
    while ((await readLatest(applicationId)).position <= position) {
      const left = end - performance.now();
      if (left <= 0 || isOver()) return false;
      await sleep(Math.min(left, LOOK_MS));
    }
    return true;
  }

  async function list(applicationId: string, request: WaitRequest): Promise<Page<ListedEvent>> {
    const { filter, isOver } = request;
    const end = performance.now() + filter.wait * 1000;
    let cursor = await eventList.cursorOf(applicationId, filter);
    do {
      const newest = await readLatest(applicationId);
      const { page, last = cursor } = await eventList.listAfter(applicationId, cursor, request);
      if (page.items.length > 0 || page.nextPageToken !== undefined)
        return { nextPageToken: eventList.tokenAfter(last), ...page };
      // Continues the search after the newest event, because no event up to it matches the filter.
      if (newest.position > cursor.position) cursor = newest;
    } while (await waitForNewer(applicationId, cursor.position, { end, isOver }));
    return { items: [], nextPageToken: eventList.tokenAfter(cursor) };
  }

  return {
    /**
     * Lists events, oldest first, and waits if there is none. The page always contains a token for the next request.
     */
    list: async (applicationId: string, request: WaitRequest): Promise<Page<ListedEvent>> =>
      counted(applicationId, async () => {
        await extendLease(applicationId, request.filter);
        return list(applicationId, request);
      }),
  };
}

export type WaitForEvents = ReturnType<typeof createWaitForEvents>;

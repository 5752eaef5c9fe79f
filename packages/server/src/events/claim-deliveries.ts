import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import type { ClaimShare } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { EventBody } from '../storage/events-table.js';
import type { Storage } from '../storage/storage.js';
import { newId, type Random } from '../text/random.js';

/** Delivery that this process has claimed for sending, with the JSON text of its event. */
export interface ClaimedDelivery extends EventDeliveryRow, Pick<EventBody, 'body' | 'payloadBytes'> {
  /** Time at which the event occurred, in milliseconds since 1970. */
  readonly eventAt: number;
}

export interface Claimed {
  readonly endpoint: WebhookEndpointRow;
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimDeliveriesParts {
  readonly storage: Pick<Storage, 'events' | 'transaction'>;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * Duration of an instance's claim of a delivery in milliseconds. Afterwards another instance may send the delivery. A
 * request takes at most half of that time.
 */
const LEASE_MS = 30_000;
/**
 * Maximum time in milliseconds for which reading the events of claimed deliveries is retried while the database is
 * unavailable. Without the retry, no instance could send these deliveries until their claims end. After 10 s of retries
 * and a request of at most 15 s, the claim is still valid.
 */
const READ_MS = 10_000;
/**
 * Maximum difference in milliseconds between the clocks of two instances. A claim is ignored if it ends later than a
 * new claim plus this difference. Differences are small, because all instances set their clocks by the database.
 */
const SKEW_MS = 5_000;

/**
 * Maximum number of concurrent requests that all instances together send to one endpoint. The three limits are for
 * endpoints with ordered delivery, for failing endpoints, and for working ones.
 */
const MAX_AT_ONCE = { ordered: 1, failing: 4, working: 128 } as const;

/** Returns the maximum number of concurrent requests that all instances together may send to an endpoint. */
export function mostAtOnce({
  ordered,
  failingSince,
}: Pick<WebhookEndpointRow, 'ordered' | 'failingSince'>): number {
  if (ordered === 1) return MAX_AT_ONCE.ordered;
  return failingSince === null ? MAX_AT_ONCE.working : MAX_AT_ONCE.failing;
}

/**
 * Adds the JSON text of its event to each delivery. Reads an event's text once for all of its deliveries. Runs after
 * the transaction that claimed them, because that transaction locks their endpoints.
 */
async function addBodies(
  events: Storage['events'],
  rows: readonly EventDeliveryRow[],
): Promise<readonly ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const keys = new Map(rows.map(({ applicationId, eventId: id }) => [id, { applicationId, id }]));
  const bodies = await events.listBodies([...keys.values()]);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  return rows.flatMap((row) => {
    const event = byId.get(row.eventId);
    if (event === undefined) return [];
    const { at: eventAt, body, payloadBytes } = event;
    return [{ ...row, body, payloadBytes, eventAt }];
  });
}

/** Creates the function that claims due deliveries of several endpoints, so that no other process sends them. */
export function createClaimDeliveries({ storage, now, random }: ClaimDeliveriesParts) {
  /**
   * Claims due deliveries of several endpoints in one transaction. Skips each endpoint for which another instance is
   * making claims at the same time.
   */
  async function claim(shares: readonly ClaimShare[]) {
    const time = now();
    const lease = { now: time, until: time + LEASE_MS };
    const requested = new Map(shares.map(({ id, most }) => [id, most]));
    return storage.transaction(async ({ deliveryQueue, webhookEndpoints }) => {
      const endpoints = await webhookEndpoints.lockFree([...requested.keys()]);
      if (endpoints.length === 0) return { endpoints, rows: [] };
      const sending = await deliveryQueue.countSending([...requested.keys()], {
        now: time,
        until: lease.until + SKEW_MS,
      });
      const free = endpoints
        .map((endpoint) => {
          const room = mostAtOnce(endpoint) - (sending.get(endpoint.id) ?? 0);
          const { applicationId, id } = endpoint;
          return { applicationId, id, most: Math.min(room, requested.get(id) ?? 0) };
        })
        .filter(({ most }) => most > 0);
      if (free.length === 0) return { endpoints, rows: [] };
      const rows = await deliveryQueue.claim(free, { ...lease, claim: newId('claim', random) });
      return { endpoints, rows };
    });
  }

  /**
   * Claims at most `most` due deliveries per endpoint. Claims fewer if the endpoint would get more concurrent requests
   * than it may.
   */
  return async function claimDeliveries(shares: readonly ClaimShare[]): Promise<readonly Claimed[]> {
    const { endpoints, rows } = await claim(shares);
    const claimed = await retryWhileUnavailable(() => addBodies(storage.events, rows), READ_MS);
    const byEndpoint = Map.groupBy(claimed, ({ endpointId }) => endpointId);
    return endpoints.flatMap((endpoint) => {
      const deliveries = byEndpoint.get(endpoint.id);
      return deliveries === undefined ? [] : [{ endpoint, deliveries }];
    });
  };
}

export type ClaimDeliveries = ReturnType<typeof createClaimDeliveries>;

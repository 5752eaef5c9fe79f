import { newId, type Random } from '../random.js';
import type { ClaimShare } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage, Tables } from '../storage/storage.js';

/** Delivery that this process sends now, with the text of its event. */
export interface ClaimedDelivery extends EventDeliveryRow {
  readonly body: string;
  /** Time of the event in milliseconds since 1970. */
  readonly eventAt: number;
}

export interface Claimed {
  readonly endpoint: WebhookEndpointRow;
  readonly deliveries: readonly ClaimedDelivery[];
}

export interface ClaimDeliveriesParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly now: () => number;
  readonly random: Random;
}

/** Time in milliseconds after which another instance may send a claimed delivery. Longer than a request can take. */
const LEASE_MS = 30_000;

/** Maximum numbers of requests to an endpoint at once, over all instances. */
const MOST_AT_ONCE = { ordered: 1, failing: 4, working: 128 } as const;

/** Returns the maximum number of requests to an endpoint at once, over all instances. */
export function mostAtOnce({
  ordered,
  failingSince,
}: Pick<WebhookEndpointRow, 'ordered' | 'failingSince'>): number {
  if (ordered === 1) return MOST_AT_ONCE.ordered;
  return failingSince === null ? MOST_AT_ONCE.working : MOST_AT_ONCE.failing;
}

/** Reads the texts of the events, each once for all of its endpoints. */
async function addBodies(
  events: Tables['events'],
  rows: readonly EventDeliveryRow[],
): Promise<readonly ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const keys = new Map(rows.map(({ applicationId, eventId: id }) => [id, { applicationId, id }]));
  const bodies = await events.listBodies([...keys.values()]);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  return rows.flatMap((row) => {
    const event = byId.get(row.eventId);
    return event === undefined ? [] : [{ ...row, body: event.body, eventAt: event.at }];
  });
}

/** Creates the function that claims due deliveries of several endpoints for this process. */
export function createClaimDeliveries({ storage, now, random }: ClaimDeliveriesParts) {
  /** Claims in one transaction. Skips endpoints that another instance claims from at the same time. */
  async function claim(shares: readonly ClaimShare[]) {
    const time = now();
    const lease = { now: time, until: time + LEASE_MS };
    const wished = new Map(shares.map(({ id, most }) => [id, most]));
    return storage.transaction(async ({ deliveryQueue, events, webhookEndpoints }) => {
      const endpoints = await webhookEndpoints.lockFree([...wished.keys()]);
      if (endpoints.length === 0) return { endpoints, rows: [] };
      const sending = await deliveryQueue.countSending([...wished.keys()], lease);
      const free = endpoints
        .map((endpoint) => {
          const room = mostAtOnce(endpoint) - (sending.get(endpoint.id) ?? 0);
          const { applicationId, id } = endpoint;
          return { applicationId, id, most: Math.min(room, wished.get(id) ?? 0) };
        })
        .filter(({ most }) => most > 0);
      if (free.length === 0) return { endpoints, rows: [] };
      const rows = await deliveryQueue.claim(free, { ...lease, claim: newId('claim', random) });
      return { endpoints, rows: await addBodies(events, rows) };
    });
  }

  /** Claims at most `most` deliveries of each endpoint, within the number of requests that the endpoint may get. */
  return async function claimDeliveries(shares: readonly ClaimShare[]): Promise<readonly Claimed[]> {
    const { endpoints, rows } = await claim(shares);
    const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
    return endpoints.flatMap((endpoint) => {
      const deliveries = byEndpoint.get(endpoint.id);
      return deliveries === undefined ? [] : [{ endpoint, deliveries }];
    });
  };
}

export type ClaimDeliveries = ReturnType<typeof createClaimDeliveries>;

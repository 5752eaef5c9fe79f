import { newId, type Random } from '../random.js';
import type { DueEndpoint } from '../storage/event-deliveries-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';

/** Delivery that this process sends now, with the text of its event. */
export interface ClaimedDelivery extends EventDeliveryRow {
  readonly body: string;
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

/** Time in milliseconds after which another instance may send a claimed delivery. Longer than a request can take. */
const LEASE_MS = 30_000;

/** Maximum number of requests to an endpoint at once, over all instances. */
export const mostAtOnce = ({ ordered }: Pick<WebhookEndpointRow, 'ordered'>): number =>
  ordered === 1 ? 1 : 4;

/** Creates the function that claims due deliveries of an endpoint for this process. */
export function createClaimDeliveries({ storage, now, random }: ClaimDeliveriesParts) {
  async function claim(due: DueEndpoint, most: number) {
    const time = now();
    return storage.transaction(async ({ eventDeliveries, webhookEndpoints }) => {
      const endpoint = await webhookEndpoints.lockIfFree(due);
      if (endpoint?.enabled !== 1) return undefined;
      const free = mostAtOnce(endpoint) - (await eventDeliveries.countSending(endpoint.id, time));
      if (free <= 0) return undefined;
      const rows = await eventDeliveries.claim(endpoint, {
        now: time,
        until: time + LEASE_MS,
        claim: newId('claim', random),
        most: Math.min(free, most),
      });
      return { endpoint, rows };
    });
  }

  /** Claims at most `most` deliveries. Returns `undefined` while others send as much as the endpoint allows. */
  return async function claimDeliveries(due: DueEndpoint, most: number): Promise<Claimed | undefined> {
    const claimed = await claim(due, most);
    if (claimed === undefined || claimed.rows.length === 0) return undefined;
    const { endpoint, rows } = claimed;
    const ids = rows.map(({ eventId }) => eventId);
    const events = await storage.events.listBodies(endpoint.applicationId, ids);
    const bodies = new Map(events.map(({ id, body }) => [id, body]));
    const deliveries = rows.flatMap((row) => {
      const body = bodies.get(row.eventId);
      return body === undefined ? [] : [{ ...row, body }];
    });
    return { endpoint, deliveries };
  };
}

export type ClaimDeliveries = ReturnType<typeof createClaimDeliveries>;

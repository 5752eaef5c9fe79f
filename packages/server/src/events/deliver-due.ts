import { createFairQueue } from '../concurrency/fair-queue.js';
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import type { DueEndpoint } from '../storage/event-deliveries-table.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';
import { type ClaimDeliveries, type ClaimedDelivery, mostAtOnce } from './claim-deliveries.js';
import { createDeliveryLane, type DeliveryLane } from './delivery-lane.js';
import type { FinishDelivery } from './finish-delivery.js';
import type { SendDelivery } from './send-delivery.js';

export interface DeliverDueParts {
  readonly storage: Pick<Storage, 'eventDeliveries'>;
  readonly claimDeliveries: ClaimDeliveries;
  readonly sendDelivery: SendDelivery;
  readonly finishDelivery: FinishDelivery;
  readonly now: () => number;
  /** Called when a request has ended, because the next delivery may start. */
  readonly onFree: () => void;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of requests of this process to endpoints whose last attempt succeeded. */
const HEALTHY_SLOTS = 256;
/** Maximum number of requests of this process to endpoints that fail, so that they cannot delay the others. */
const FAILING_SLOTS = 64;
const ENDPOINTS_AT_ONCE = 1000;
/** Number of claims at once. More of them would use too many connections to the database. */
const CLAIMS_AT_ONCE = 4;
/** Time in milliseconds for storing an outcome while the database is unavailable: the rest of the lease. */
const STORE_MS = 10_000;

/** Creates the function that starts all due deliveries for which this process has room. */
export function createDeliverDue(parts: DeliverDueParts) {
  const { storage, claimDeliveries, sendDelivery, finishDelivery, now, onFree, onError } = parts;
  const healthy = createDeliveryLane(HEALTHY_SLOTS);
  const failing = createDeliveryLane(FAILING_SLOTS);
  const sending = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let after = '';
  let turn = 0;

  const laneOf = ({ failingSince }: Pick<WebhookEndpointRow, 'failingSince'>): DeliveryLane =>
    failingSince === null ? healthy : failing;
  const countOf = ({ id }: Pick<WebhookEndpointRow, 'id'>): number => sending.get(id) ?? 0;
  const roomOf = (endpoint: DueEndpoint): number =>
    Math.min(mostAtOnce(endpoint) - countOf(endpoint), laneOf(endpoint).room(endpoint.applicationId));

  function count(lane: DeliveryLane, { applicationId, id }: DueEndpoint, change: number): void {
    if (change > 0) lane.take(applicationId, change);
    else lane.release(applicationId, -change);
    const left = (sending.get(id) ?? 0) + change;
    if (left > 0) sending.set(id, left);
    else sending.delete(id);
  }

  async function deliver(endpoint: WebhookEndpointRow, delivery: ClaimedDelivery): Promise<void> {
    const { body, ...row } = delivery;
    const outcome = await sendDelivery(endpoint, { id: row.eventId, type: row.type, body });
    await retryWhileUnavailable(() => finishDelivery(endpoint, row, outcome), STORE_MS);
  }

  /** Claims deliveries of an endpoint and sends them in the background. */
  async function start(due: DueEndpoint): Promise<void> {
    const lane = laneOf(due);
    const most = roomOf(due);
    if (most <= 0) return;
    count(lane, due, most);
    let deliveries: readonly ClaimedDelivery[] = [];
    try {
      const claimed = await claimDeliveries(due, most);
      deliveries = claimed?.deliveries ?? [];
      for (const delivery of deliveries) {
        if (claimed === undefined) continue;
        const work = deliver(claimed.endpoint, delivery)
          .catch(onError)
          .finally(() => {
            running.delete(work);
            count(lane, due, -1);
            onFree();
          });
        running.add(work);
      }
    } finally {
      count(lane, due, deliveries.length - most);
    }
  }

  async function listDue(): Promise<readonly DueEndpoint[]> {
    const due = await storage.eventDeliveries.dueEndpoints({ now: now(), after, limit: ENDPOINTS_AT_ONCE });
    // Continues at the next endpoint in the next call, so that all endpoints get their turn.
    after = due.length === ENDPOINTS_AT_ONCE ? (due.at(-1)?.id ?? '') : '';
    // Begins with another endpoint each time, so that no application always gets the first free slot.
    turn = (turn + 1) % Math.max(1, due.length);
    return [...due.slice(turn), ...due.slice(0, turn)];
  }

  return {
    /** Starts due deliveries. Applications take turns. */
    deliverDue: async (): Promise<void> => {
      const queue = createFairQueue<DueEndpoint>(() => true);
      for (const endpoint of await listDue())
        if (roomOf(endpoint) > 0) queue.add([endpoint.applicationId], endpoint);
      const startAll = async () => {
        for (let next = queue.take(); next; next = queue.take()) await start(next);
      };
      await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, startAll));
    },
    /** Resolves when all running requests have ended and their outcomes are stored. */
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}

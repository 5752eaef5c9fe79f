import { createFairQueue } from '../concurrency/fair-queue.js';
import type { DueEndpoint } from '../storage/delivery-queue-table.js';
import type { Storage } from '../storage/storage.js';
import { type ClaimDeliveries, type Claimed, type ClaimedDelivery, mostAtOnce } from './claim-deliveries.js';
import { createDeliveryLane, type DeliveryLane } from './delivery-lane.js';
import { createEndpointPace } from './endpoint-pace.js';
import type { FinishDelivery } from './finish-deliveries.js';
import type { SendDelivery } from './send-delivery.js';

export interface DeliverDueParts {
  readonly storage: Pick<Storage, 'deliveryQueue'>;
  readonly claimDeliveries: ClaimDeliveries;
  readonly sendDelivery: SendDelivery;
  readonly finishDelivery: FinishDelivery;
  readonly now: () => number;
  /** Called when a request has ended, because the next delivery may start. */
  readonly onFree: () => void;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of requests of this process to endpoints that work. */
const WORKING_SLOTS = 256;
/** Maximum number of requests of this process to endpoints that fail or are slow, so that they delay no others. */
const FAILING_SLOTS = 64;
/** Time in milliseconds after which a request leaves the lane of endpoints that work. */
const SLOW_MS = 1000;
/** Number of endpoints that are read at once. */
const ENDPOINTS_AT_ONCE = 1000;
/** Maximum number of endpoints of one claim, so that its transaction is short. */
const CLAIMED_AT_ONCE = 64;

/** Slots of a lane that are reserved for requests to an endpoint. */
interface Reservation {
  readonly endpoint: DueEndpoint;
  readonly lane: DeliveryLane;
  readonly most: number;
}

/** Creates the function that starts all due deliveries for which this process has room. */
export function createDeliverDue(parts: DeliverDueParts) {
  const { storage, claimDeliveries, sendDelivery, finishDelivery, now, onFree, onError } = parts;
  const working = createDeliveryLane(WORKING_SLOTS);
  const failing = createDeliveryLane(FAILING_SLOTS);
  const pace = createEndpointPace();
  const sending = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let after = '';
  let turn = 0;

  const laneOf = ({ id, failingSince }: DueEndpoint): DeliveryLane =>
    failingSince === null && !pace.isSlow(id) ? working : failing;

  function roomOf(endpoint: DueEndpoint): number {
    const { applicationId, id } = endpoint;
    const most = Math.min(mostAtOnce(endpoint), pace.mostAtOnce(id));
    return Math.min(most - (sending.get(id) ?? 0), laneOf(endpoint).room(applicationId));
  }

  function count(id: string, change: number): void {
    const left = (sending.get(id) ?? 0) + change;
    if (left > 0) sending.set(id, left);
    else sending.delete(id);
  }

  function reserve(endpoint: DueEndpoint, most: number): Reservation {
    const lane = laneOf(endpoint);
    lane.take(endpoint.applicationId, most);
    count(endpoint.id, most);
    return { endpoint, lane, most };
  }

  function release({ applicationId, id }: DueEndpoint, lane: DeliveryLane, slots: number): void {
    lane.release(applicationId, slots);
    count(id, -slots);
  }

  /** Sends a delivery and stores its outcome. A slow request moves to the lane of failing endpoints. */
  async function deliver(
    { endpoint }: Claimed,
    { body, eventAt, ...delivery }: ClaimedDelivery,
    lane: DeliveryLane,
  ): Promise<void> {
    const { applicationId, id } = endpoint;
    let current = lane;
    const timer = setTimeout(() => {
      pace.slowDown(id);
      current.release(applicationId, 1);
      current = failing;
      current.take(applicationId, 1);
      onFree();
    }, SLOW_MS);
    try {
      const outcome = await sendDelivery(endpoint, { id: delivery.eventId, type: delivery.type, body });
      clearTimeout(timer);
      if (outcome.result === 'succeeded' && outcome.attempt.durationMs < SLOW_MS) pace.speedUp(id);
      else if (outcome.attempt.durationMs < SLOW_MS) pace.restart(id);
      await finishDelivery({ endpoint, delivery, eventAt, outcome });
    } finally {
      clearTimeout(timer);
      release(endpoint, current, 1);
    }
  }

  function startClaimed(claimed: Claimed, lane: DeliveryLane): void {
    for (const delivery of claimed.deliveries) {
      const work = deliver(claimed, delivery, lane)
        .catch(onError)
        .finally(() => {
          running.delete(work);
          onFree();
        });
      running.add(work);
    }
  }

  /** Claims deliveries for the reserved slots, and sends them in the background. */
  async function start(reservations: readonly Reservation[]): Promise<void> {
    const started = new Map<string, number>();
    try {
      const shares = reservations.map(({ endpoint: { applicationId, id }, most }) => ({
        applicationId,
        id,
        most,
      }));
      const lanes = new Map(reservations.map(({ endpoint, lane }) => [endpoint.id, lane]));
      for (const claimed of await claimDeliveries(shares)) {
        const { id } = claimed.endpoint;
        started.set(id, claimed.deliveries.length);
        startClaimed(claimed, lanes.get(id) ?? working);
      }
    } finally {
      for (const { endpoint, lane, most } of reservations)
        release(endpoint, lane, most - (started.get(endpoint.id) ?? 0));
    }
  }

  async function listDue(): Promise<readonly DueEndpoint[]> {
    const due = await storage.deliveryQueue.dueEndpoints({ now: now(), after, limit: ENDPOINTS_AT_ONCE });
    after = due.length === ENDPOINTS_AT_ONCE ? (due.at(-1)?.id ?? '') : '';
    // Begins with another endpoint each time, so that no application always gets the first free slot.
    turn = (turn + 1) % Math.max(1, due.length);
    return [...due.slice(turn), ...due.slice(0, turn)];
  }

  /** Starts deliveries of the given endpoints. Applications take turns. */
  async function startDue(due: readonly DueEndpoint[]): Promise<void> {
    const queue = createFairQueue<DueEndpoint>(() => true);
    for (const endpoint of due) if (roomOf(endpoint) > 0) queue.add([endpoint.applicationId], endpoint);
    let reserved: Reservation[] = [];
    const startReserved = async () => {
      const reservations = reserved;
      reserved = [];
      if (reservations.length > 0) await start(reservations);
    };
    for (let next = queue.take(); next; next = queue.take()) {
      // A claim gives back the slots for which no delivery was due.
      if (roomOf(next) <= 0 || reserved.length === CLAIMED_AT_ONCE) await startReserved();
      const room = roomOf(next);
      if (room > 0) reserved.push(reserve(next, room));
    }
    await startReserved();
  }

  /** Starts due deliveries. If all slots are taken, the next call continues with the next endpoints. */
  async function deliverDue(): Promise<void> {
    do await startDue(await listDue());
    while (after !== '' && working.room('') > 0);
  }

  return {
    deliverDue,
    /** Resolves when all running requests have ended and their outcomes are stored. */
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}

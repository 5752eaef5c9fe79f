import { createFairQueue } from '../concurrency/fair-queue.js';
import { createLane, type Lane } from '../concurrency/lane.js';
import type { DueEndpoint } from '../storage/delivery-queue-table.js';
import type { Storage } from '../storage/storage.js';
import { type ClaimDeliveries, type Claimed, type ClaimedDelivery, mostAtOnce } from './claim-deliveries.js';
import { createEndpointPace } from './endpoint-pace.js';
import type { FinishDelivery } from './finish-deliveries.js';
import type { AttemptOutcome, SendDelivery } from './send-delivery.js';

export interface DeliverDueParts {
  readonly storage: Pick<Storage, 'deliveryQueue'>;
  readonly claimDeliveries: ClaimDeliveries;
  readonly sendDelivery: SendDelivery;
  readonly finishDelivery: FinishDelivery;
  readonly now: () => number;
  /** Called after a delivery has ended or has become slow, so that the caller starts further deliveries. */
  readonly onFree: () => void;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of concurrent requests of this process to endpoints that respond quickly and without errors. */
const WORKING_SLOTS = 256;
/**
 * Maximum number of concurrent requests of this process to failing and slow endpoints. This separate limit keeps them
 * from delaying deliveries to other endpoints.
 */
const FAILING_SLOTS = 64;
/**
 * Duration in milliseconds from which a request counts as slow. It then uses the limit for failing and slow endpoints.
 */
const SLOW_MS = 1000;
/**
 * Maximum time in milliseconds that a postponed delivery keeps its slot. If it left the slot immediately while the
 * endpoint's other slots are in use, the service would claim and postpone one due delivery after another.
 */
const POSTPONED_SLOT_MS = 1000;
/** Maximum number of endpoints with due deliveries that one query reads. */
const ENDPOINTS_AT_ONCE = 1000;
/** Maximum number of endpoints for which one transaction claims deliveries, so that the transaction is short. */
const CLAIMED_AT_ONCE = 64;

/** Reservation of `most` concurrent requests for an endpoint, while the service claims its deliveries. */
interface Reservation {
  readonly endpoint: DueEndpoint;
  readonly lane: Lane;
  readonly most: number;
}

const keepSlot = ({ retryAfterMs = 0 }: AttemptOutcome): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(retryAfterMs, POSTPONED_SLOT_MS)));

/** Creates the function that sends due deliveries, without exceeding the limits of concurrent requests. */
export function createDeliverDue(parts: DeliverDueParts) {
  const { storage, claimDeliveries, sendDelivery, finishDelivery, now, onFree, onError } = parts;
  const working = createLane(WORKING_SLOTS);
  const failing = createLane(FAILING_SLOTS);
  const pace = createEndpointPace();
  const sending = new Map<string, number>();
  const running = new Set<Promise<void>>();
  /**
   * Functions that each move a slow request from a slot for working endpoints to one for failing endpoints. They wait
   * here until such a slot is free; the oldest one runs first.
   */
  const waitingMoves = new Set<() => void>();
  let after = '';
  let turn = 0;

  const laneOf = ({ id, failingSince }: DueEndpoint): Lane =>
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

  function release({ applicationId, id }: DueEndpoint, lane: Lane, slots: number): void {
    lane.release(applicationId, slots);
    count(id, -slots);
    if (lane === failing) for (const move of waitingMoves) move();
  }

  /**
   * Raises or lowers the maximum number of concurrent requests to an endpoint after an attempt. A postponed attempt
   * changes nothing, because it sent no request to the endpoint.
   */
  function adjustPace(id: string, { result, attempt }: AttemptOutcome): void {
    if (result === 'postponed' || attempt.durationMs >= SLOW_MS) return;
    if (result === 'succeeded') pace.speedUp(id);
    else pace.restart(id);
  }

  /**
   * Sends a delivery and stores its outcome. A request that becomes slow moves to a slot for failing endpoints as soon
   * as one is free, and so releases its slot for working endpoints.
   */
  async function deliver(
    { endpoint }: Claimed,
    { body, payloadBytes, eventAt, ...delivery }: ClaimedDelivery,
    lane: Lane,
  ): Promise<void> {
    const { applicationId, id } = endpoint;
    let current = lane;
    const move = () => {
      if (failing.room(applicationId) === 0) return void waitingMoves.add(move);
      waitingMoves.delete(move);
      current.release(applicationId, 1);
      current = failing;
      current.take(applicationId, 1);
      onFree();
    };
    const timer = setTimeout(() => {
      pace.slowDown(id);
      if (lane === working) move();
    }, SLOW_MS);
    try {
      const outcome = await sendDelivery(endpoint, { id: delivery.eventId, body, payloadBytes });
      clearTimeout(timer);
      adjustPace(id, outcome);
      await finishDelivery({ endpoint, delivery, eventAt, outcome });
      if (outcome.result === 'postponed') await keepSlot(outcome);
    } finally {
      clearTimeout(timer);
      waitingMoves.delete(move);
      release(endpoint, current, 1);
    }
  }

  function startClaimed(claimed: Claimed, lane: Lane): void {
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

  /** Claims deliveries for the reserved requests, and starts to send them. Does not wait for the responses. */
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
    // Begins each call with another endpoint, so that the first free request does not always go to the same
    // application.
    turn = (turn + 1) % Math.max(1, due.length);
    return [...due.slice(turn), ...due.slice(0, turn)];
  }

  /** Starts deliveries of the given endpoints, taking the applications round-robin. */
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
      // Claims the reserved deliveries if there is no room for this endpoint. An endpoint may have fewer due deliveries
      // than reserved requests, so `startReserved` frees the rest, which may make room.
      if (roomOf(next) <= 0 || reserved.length === CLAIMED_AT_ONCE) await startReserved();
      const room = roomOf(next);
      if (room > 0) reserved.push(reserve(next, room));
    }
    await startReserved();
  }

  /**
   * Starts due deliveries. If all slots for working endpoints are in use, the next call continues with the remaining
   * endpoints.
   */
  async function deliverDue(): Promise<void> {
    do await startDue(await listDue());
    while (after !== '' && working.room('') > 0);
  }

  return {
    deliverDue,
    /** Resolves when all running requests have ended and the database contains the outcomes of their deliveries. */
    settled: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}

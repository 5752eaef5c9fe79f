import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import type { FinishedDelivery } from '../storage/delivery-queue-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { DisableEndpoint } from './disable-endpoint.js';
import {
  accountsOf,
  changedEndpoints,
  type DeliveryOutcome,
  type EndedAttempt,
  outcomeOf,
  toFinished,
} from './ended-attempt.js';
import type { PauseEndpoint } from './pause-endpoint.js';

/**
 * Called for each attempt whose outcome was stored. `delayMs`: milliseconds from the event until the outcome was
 * stored.
 */
export type OnDelivery = (outcome: DeliveryOutcome, delayMs: number) => void;

export interface FinishDeliveriesParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly disableEndpoint: DisableEndpoint;
  readonly pauseEndpoint: PauseEndpoint;
  readonly now: () => number;
  /** Returns a random number from 0 to 1, which varies the wait before the next attempt. */
  readonly jitter: () => number;
  readonly onDelivery?: OnDelivery | undefined;
}

/** Ended attempt whose outcome the database does not contain yet. */
interface Waiting extends EndedAttempt {
  readonly finished: FinishedDelivery;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Duration in milliseconds for which all delivery attempts to an endpoint must have failed before the service disables
 * it.
 */
const GIVE_UP_MS = 5 * 24 * 3_600_000;
/**
 * Maximum time in milliseconds for which storing outcomes is retried while the database is unavailable. If the claim of
 * a delivery expires meanwhile, another instance may send it again, and this outcome is dropped.
 */
const STORE_MS = 10_000;
/** Time in milliseconds for which outcomes of attempts are collected before one transaction stores them. */
const GATHER_MS = 5;
/** Maximum number of attempts whose outcomes one transaction stores. */
const MAX_AT_ONCE = 500;

/**
 * Stores the outcomes of attempts, and returns the attempts whose outcomes were stored. Drops an outcome if this
 * process's claim has expired and another instance has claimed the delivery.
 */
async function storeIn(
  { deliveryQueue, webhookEndpoints }: Tables,
  ended: readonly Waiting[],
  now: number,
): Promise<readonly Waiting[]> {
  const endpoints = new Map(ended.map(({ endpoint }) => [endpoint.id, endpoint]));
  // Blocks the creation of deliveries to these ordered endpoints. Otherwise a new delivery could wait for an earlier
  // one of its account that ends in this transaction.
  const ordered = new Set(await webhookEndpoints.share([...endpoints.keys()]));
  const { working, failing } = changedEndpoints(ended);
  const changing = new Set([...working, ...failing].map(({ id }) => id));
  const locked = [...endpoints.values()].filter(({ id }) => ordered.has(id) || changing.has(id));
  if (locked.length > 0) await webhookEndpoints.lock(locked);
  const stored = await deliveryQueue.finish(ended.map(({ finished }) => finished));
  const own = ended.filter(({ delivery }) => stored.has(delivery.id));
  const released = accountsOf(
    own
      .filter(({ endpoint, finished }) => ordered.has(endpoint.id) && finished.endedAt !== null)
      .map(({ delivery }) => delivery),
  );
  if (released.length > 0) await deliveryQueue.releaseNext(released, now);
  const changed = changedEndpoints(own);
  if (changed.working.length > 0) await webhookEndpoints.markWorking(changed.working);
  if (changed.failing.length > 0) await webhookEndpoints.markFailing(changed.failing, now);
  return own;
}

/** Returns true if the service must disable or pause the endpoint of an attempt. */
const isUseless = ({ endpoint: { failingSince }, outcome }: EndedAttempt, failingUntil: number): boolean =>
  outcome.result === 'gone' ||
  outcome.isUnsigned === true ||
  (outcome.result === 'failed' && failingSince !== null && failingSince <= failingUntil);

/**
 * Creates the function that stores the outcomes of delivery attempts in batches. It also disables or pauses endpoints
 * that no longer work.
 */
export function createFinishDeliveries(parts: FinishDeliveriesParts) {
  const { storage, disableEndpoint, pauseEndpoint, now, jitter, onDelivery } = parts;
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function store(batch: readonly Waiting[]): Promise<void> {
    const stored = await storage.transaction((tables) => storeIn(tables, batch, now()));
    for (const ended of stored) onDelivery?.(outcomeOf(ended, ended.finished), now() - ended.eventAt);
  }

  /**
   * Disables or pauses an endpoint that no longer works. `attempts`: its attempts that showed this; their promises are
   * settled afterwards.
   */
  async function disable(attempts: readonly Waiting[], failingUntil: number): Promise<void> {
    const isGone = ({ outcome }: EndedAttempt) => outcome.result === 'gone';
    const isUnsigned = ({ outcome }: EndedAttempt) => outcome.isUnsigned === true;
    const shown = attempts.find(isGone) ?? attempts.find(isUnsigned) ?? attempts[0];
    if (shown === undefined) return;
    try {
      if (isUnsigned(shown)) await pauseEndpoint(shown.endpoint);
      else if (isGone(shown)) await disableEndpoint(shown.endpoint, 'gone');
      else await disableEndpoint(shown.endpoint, 'failing', failingUntil);
      for (const { resolve } of attempts) resolve();
    } catch (error) {
      for (const { reject } of attempts) reject(error);
    }
  }

  /**
   * Settles the promises of attempts whose outcomes are stored. Before that, disables or pauses each endpoint that no
   * longer works.
   */
  async function settle(batch: readonly Waiting[]): Promise<void> {
    const failingUntil = now() - GIVE_UP_MS;
    const groups = Map.groupBy(batch, (ended) => isUseless(ended, failingUntil));
    for (const { resolve } of groups.get(false) ?? []) resolve();
    for (const attempts of Map.groupBy(groups.get(true) ?? [], ({ endpoint }) => endpoint.id).values())
      await disable(attempts, failingUntil);
  }

  /**
   * Stores a batch of outcomes and settles their promises. If the database refuses the batch, stores each half
   * separately, so that only the invalid outcome fails.
   */
  async function finishBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await retryWhileUnavailable(() => store(batch), STORE_MS);
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await finishBatch(batch.slice(0, half));
      return finishBatch(batch.slice(half));
    }
    // Begins the next batch without waiting for `settle`, which may disable failing endpoints.
    void settle(batch);
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    await sleep(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_AT_ONCE);
      waiting = waiting.slice(MAX_AT_ONCE);
      await finishBatch(batch);
    }
    isWriting = false;
  }

  /**
   * Resolves when the database contains the attempt's outcome. Outcomes of attempts that end at about the same time
   * share a transaction.
   */
  return function finishDelivery(ended: EndedAttempt): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const finished = toFinished(ended, { now: now(), jitter: jitter() });
    waiting.push({ ...ended, finished, resolve, reject });
    void writeAll();
    return promise;
  };
}

export type FinishDelivery = ReturnType<typeof createFinishDeliveries>;

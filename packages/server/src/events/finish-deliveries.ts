import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, retryWhileUnavailable } from '../concurrency/retry-while-unavailable.js';
import type { FinishedDelivery, OrderedAccount } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { addAttempt } from './delivery-log.js';
import type { DisableEndpoint } from './disable-endpoint.js';
import { waitBeforeRetry } from './retry-schedule.js';
import type { AttemptOutcome } from './send-delivery.js';

/** Attempt that has ended, with the rows that it was claimed with. */
export interface EndedAttempt {
  readonly endpoint: WebhookEndpointRow;
  readonly delivery: EventDeliveryRow;
  /** Time of the event in milliseconds since 1970. */
  readonly eventAt: number;
  readonly outcome: AttemptOutcome;
}

interface Waiting extends EndedAttempt {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface FinishDeliveriesParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly disableEndpoint: DisableEndpoint;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number;
}

/** Time in milliseconds after which an endpoint is disabled if all of its attempts failed. */
const GIVE_UP_MS = 5 * 24 * 3_600_000;
/** Time in milliseconds for storing outcomes while the database is unavailable: the rest of the lease. */
const STORE_MS = 10_000;
/** Time in milliseconds in which outcomes gather for one transaction. */
const GATHER_MS = 5;
/** Maximum number of outcomes in one transaction. */
const MOST_AT_ONCE = 500;

const idsOf = (ended: readonly EndedAttempt[]): string[] => [
  ...new Set(ended.map(({ endpoint }) => endpoint.id)),
];

/** Lists the endpoints whose failures began or ended. The last attempt of each endpoint decides. */
function changedEndpoints(ended: readonly EndedAttempt[]) {
  const counted = ended.filter(({ outcome: { result } }) => result === 'succeeded' || result === 'failed');
  const last = [...new Map(counted.map((attempt) => [attempt.endpoint.id, attempt])).values()];
  const idsWith = (result: AttemptOutcome['result'], isFailing: boolean) =>
    last
      .filter(
        ({ endpoint, outcome }) =>
          outcome.result === result && (endpoint.failingSince !== null) === isFailing,
      )
      .map(({ endpoint }) => endpoint.id);
  return { working: idsWith('succeeded', true), failing: idsWith('failed', false) };
}

/** Lists the accounts for which a delivery to an ordered endpoint has ended. */
function endedAccounts(
  finished: readonly { readonly endpointId: string; readonly accountId: string | null }[],
): readonly OrderedAccount[] {
  const accounts = finished.flatMap(({ endpointId, accountId }) =>
    accountId === null ? [] : [[`${endpointId} ${accountId}`, { endpointId, accountId }] as const],
  );
  return [...new Map(accounts).values()];
}

/** Creates the function that stores the outcomes of attempts in batches, and disables endpoints that no longer work. */
export function createFinishDeliveries({ storage, disableEndpoint, now, jitter }: FinishDeliveriesParts) {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  function toFinished({ delivery, outcome }: EndedAttempt): FinishedDelivery {
    const { attempt, result, retryAfterMs } = outcome;
    const { applicationId, id, claim } = delivery;
    const key = { applicationId, id, claim };
    if (result === 'postponed') {
      const { attempts, log } = delivery;
      return { ...key, state: 'pending', attempts, nextAt: now() + (retryAfterMs ?? 0), log, endedAt: null };
    }
    const attempts = delivery.attempts + 1;
    const log = addAttempt(delivery.log, attempt);
    const wait =
      result === 'failed' ? waitBeforeRetry({ attempts, retryAfterMs, jitter: jitter() }) : undefined;
    if (wait !== undefined)
      return { ...key, state: 'pending', attempts, nextAt: now() + wait, log, endedAt: null };
    const state = result === 'succeeded' ? 'succeeded' : 'failed';
    return { ...key, state, attempts, nextAt: null, log, endedAt: now() };
  }

  /**
   * Stores outcomes in one transaction. An outcome changes nothing if another instance has claimed the delivery after
   * the end of the lease.
   */
  async function storeIn(
    { deliveryQueue, webhookEndpoints }: Tables,
    ended: readonly EndedAttempt[],
  ): Promise<void> {
    // The fan-out decides under `lockAlone` of an ordered endpoint whether a new delivery of an account must wait.
    const ordered = await webhookEndpoints.share(idsOf(ended));
    if (ordered.length > 0) await webhookEndpoints.lock(ordered);
    const finished = ended.map(toFinished);
    const stored = await deliveryQueue.finish(finished);
    const own = ended.filter(({ delivery }) => stored.has(delivery.id));
    const ends = new Set(finished.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id));
    const accounts = endedAccounts(
      own
        .map(({ delivery }) => delivery)
        .filter(({ endpointId, id }) => ordered.includes(endpointId) && ends.has(id)),
    );
    if (accounts.length > 0) await deliveryQueue.releaseNext(accounts, now());
    const { working, failing } = changedEndpoints(own);
    const changed = [...working, ...failing];
    if (changed.length > 0) await webhookEndpoints.lock(changed);
    if (working.length > 0) await webhookEndpoints.markWorking(working);
    if (failing.length > 0) await webhookEndpoints.markFailing(failing, now());
  }

  async function disableIfUseless({ endpoint, outcome: { result } }: EndedAttempt): Promise<void> {
    if (result === 'gone') await disableEndpoint(endpoint, 'gone');
    const { failingSince } = endpoint;
    const failingUntil = now() - GIVE_UP_MS;
    if (result === 'failed' && failingSince !== null && failingSince <= failingUntil)
      await disableEndpoint(endpoint, 'failing', failingUntil);
  }

  /** Stores a batch and settles its promises. Halves a batch that the database refuses, to find the wrong outcome. */
  async function finishBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      await retryWhileUnavailable(() => storage.transaction((tables) => storeIn(tables, batch)), STORE_MS);
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await finishBatch(batch.slice(0, half));
      return finishBatch(batch.slice(half));
    }
    for (const each of batch) await disableIfUseless(each).then(each.resolve, each.reject);
  }

  async function writeAll(): Promise<void> {
    await sleep(GATHER_MS);
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      await finishBatch(batch);
    }
    writing = undefined;
  }

  /** Resolves when the outcome is stored. Outcomes that end at about the same time share a transaction. */
  return function finishDelivery(ended: EndedAttempt): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ ...ended, resolve, reject });
    writing ??= writeAll();
    return promise;
  };
}

export type FinishDelivery = ReturnType<typeof createFinishDeliveries>;

import type { DeliveryChange } from '../storage/event-deliveries-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import type { Storage } from '../storage/storage.js';
import { addAttempt } from './delivery-log.js';
import type { DisableEndpoint } from './disable-endpoint.js';
import { waitBeforeRetry } from './retry-schedule.js';
import type { AttemptOutcome } from './send-delivery.js';

export interface FinishDeliveryParts {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly disableEndpoint: DisableEndpoint;
  readonly now: () => number;
  /** Returns a random number from 0 to 1. */
  readonly jitter: () => number;
}

/** Time in milliseconds after which an endpoint is disabled if all of its attempts failed. */
const GIVE_UP_MS = 5 * 24 * 3_600_000;

/** Creates the function that stores the outcome of an attempt, and disables endpoints that no longer work. */
export function createFinishDelivery({ storage, disableEndpoint, now, jitter }: FinishDeliveryParts) {
  function changeOf(delivery: EventDeliveryRow, outcome: AttemptOutcome): DeliveryChange {
    const { attempt, result, retryAfterMs } = outcome;
    if (result === 'postponed') {
      const { attempts, log } = delivery;
      return { state: 'pending', attempts, nextAt: now() + (retryAfterMs ?? 0), log, endedAt: null };
    }
    const attempts = delivery.attempts + 1;
    const log = addAttempt(delivery.log, attempt);
    const wait =
      result === 'failed' ? waitBeforeRetry({ attempts, retryAfterMs, jitter: jitter() }) : undefined;
    if (wait !== undefined) return { state: 'pending', attempts, nextAt: now() + wait, log, endedAt: null };
    const state = result === 'succeeded' ? 'succeeded' : 'failed';
    return { state, attempts, nextAt: null, log, endedAt: now() };
  }

  /** Stores the outcome. Does nothing if another instance has claimed the delivery after the end of the lease. */
  async function store(
    endpoint: WebhookEndpointRow,
    delivery: EventDeliveryRow,
    { change, result }: { readonly change: DeliveryChange; readonly result: AttemptOutcome['result'] },
  ): Promise<void> {
    const { accountId } = delivery;
    await storage.transaction(async ({ eventDeliveries, webhookEndpoints }) => {
      // The fan-out decides under the same lock whether a new delivery of the account must wait.
      if (endpoint.ordered === 1) await webhookEndpoints.lock([endpoint.id]);
      if (!(await eventDeliveries.finish(delivery, change))) return;
      if (change.endedAt !== null && accountId !== null)
        await eventDeliveries.releaseNext({ endpointId: endpoint.id, accountId }, now());
      if (result === 'succeeded' && endpoint.failingSince !== null)
        await webhookEndpoints.markWorking(endpoint);
      if (result === 'failed' && endpoint.failingSince === null)
        await webhookEndpoints.markFailing(endpoint, now());
    });
  }

  return async function finishDelivery(
    endpoint: WebhookEndpointRow,
    delivery: EventDeliveryRow,
    outcome: AttemptOutcome,
  ): Promise<void> {
    const { result } = outcome;
    await store(endpoint, delivery, { change: changeOf(delivery, outcome), result });
    if (result === 'gone') await disableEndpoint(endpoint, 'gone');
    const { failingSince } = endpoint;
    const failingUntil = now() - GIVE_UP_MS;
    if (result === 'failed' && failingSince !== null && failingSince <= failingUntil)
      await disableEndpoint(endpoint, 'failing', failingUntil);
  };
}

export type FinishDelivery = ReturnType<typeof createFinishDelivery>;

import type { FinishedDelivery, OrderedAccount } from '../storage/delivery-queue-table.js';
import type { EventDeliveryRow, WebhookEndpointRow } from '../storage/event-rows.js';
import { addAttempt } from './delivery-log.js';
import { waitBeforeRetry } from './retry-schedule.js';
import type { AttemptOutcome } from './send-delivery.js';

/** Ended attempt to send a delivery. `endpoint` and `delivery` are the rows from before the attempt. */
export interface EndedAttempt {
  readonly endpoint: WebhookEndpointRow;
  readonly delivery: EventDeliveryRow;
  /** Time at which the event occurred, in milliseconds since 1970. */
  readonly eventAt: number;
  readonly outcome: AttemptOutcome;
}

/**
 * Outcome of a delivery attempt, as the metrics count it. `retried`: the attempt failed, and the service will make
 * another one.
 */
export type DeliveryOutcome = 'succeeded' | 'retried' | 'failed' | 'postponed';

export function outcomeOf({ outcome }: EndedAttempt, { state }: FinishedDelivery): DeliveryOutcome {
  if (outcome.result === 'postponed') return 'postponed';
  return state === 'pending' ? 'retried' : state;
}

/**
 * Returns the columns of a delivery that change after an attempt. `jitter`: random number from 0 to 1, which varies the
 * wait before the next attempt.
 */
export function toFinished(
  { delivery, outcome }: EndedAttempt,
  { now, jitter }: { readonly now: number; readonly jitter: number },
): FinishedDelivery {
  const { attempt, result, retryAfterMs } = outcome;
  const { applicationId, id, claim } = delivery;
  const key = { applicationId, id, claim };
  if (result === 'postponed') {
    const { attempts, log } = delivery;
    return { ...key, state: 'pending', attempts, nextAt: now + (retryAfterMs ?? 0), log, endedAt: null };
  }
  const attempts = delivery.attempts + 1;
  const log = addAttempt(delivery.log, attempt);
  const wait = result === 'failed' ? waitBeforeRetry({ attempts, retryAfterMs, jitter }) : undefined;
  if (wait !== undefined)
    return { ...key, state: 'pending', attempts, nextAt: now + wait, log, endedAt: null };
  const state = result === 'succeeded' ? 'succeeded' : 'failed';
  return { ...key, state, attempts, nextAt: null, log, endedAt: now };
}

/**
 * Returns the endpoints that the attempts changed from failing to working, or from working to failing. The last attempt
 * to an endpoint decides.
 */
export function changedEndpoints(ended: readonly EndedAttempt[]) {
  const counted = ended.filter(({ outcome: { result } }) => result === 'succeeded' || result === 'failed');
  const last = [...new Map(counted.map((attempt) => [attempt.endpoint.id, attempt])).values()];
  const endpointsWith = (result: AttemptOutcome['result'], isFailing: boolean) =>
    last
      .filter(
        ({ endpoint, outcome }) =>
          outcome.result === result && (endpoint.failingSince !== null) === isFailing,
      )
      .map(({ endpoint }) => endpoint);
  return { working: endpointsWith('succeeded', true), failing: endpointsWith('failed', false) };
}

/** Returns the endpoint and the account of each delivery, without duplicates. Omits deliveries without an account. */
export function accountsOf(
  deliveries: readonly Pick<EventDeliveryRow, 'endpointId' | 'accountId'>[],
): readonly OrderedAccount[] {
  const accounts = deliveries.flatMap(({ endpointId, accountId }) =>
    accountId === null ? [] : [[`${endpointId} ${accountId}`, { endpointId, accountId }] as const],
  );
  return [...new Map(accounts).values()];
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedEvent } from '../events/event-list.js';
import type { ForwardEvent, Outcome } from './forward-event.js';
import { type EventPage, type EventQuery, isTemporary, type ServiceClient } from './service-client.js';

export interface RelayParts {
  readonly client: ServiceClient;
  readonly forwardEvent: ForwardEvent;
  /** Reports an outage of the service or the receiver, once for each outage. */
  readonly notify: (message: string) => void;
  readonly signal: AbortSignal;
  /** URL of the service, for messages. */
  readonly service: string;
  /** URL of the receiver, for messages. */
  readonly receiver: string;
}

export interface RelayFilter {
  readonly types?: string | undefined;
  readonly connectionName?: string | undefined;
  /** Id of the event after which the relay begins. Default: only new events. */
  readonly after?: string | undefined;
}

/** Attempt to forward an event, with the pause before the next attempt. */
export interface RelayedEvent extends Outcome {
  readonly event: ListedEvent;
  /** Absent after the last attempt. */
  readonly retryInMs?: number | undefined;
}

const WAIT_SECONDS = 20;
/** Pauses in milliseconds after failed attempts. An event is given up after the attempt that follows the last one. */
const RETRY_MS = [1000, 2000, 4000, 8000];
/** Pause in milliseconds while the receiver is down. */
const DOWN_MS = 1000;
const MOST_BACKOFF_MS = 5000;
/** Age in milliseconds from which the lease of the service is renewed. The service keeps it for a minute. */
const RENEW_MS = 20_000;
/** Failures of a receiver that does not run. They are repeated without end, because no event may get lost. */
const IS_DOWN = ['refused', 'unknown_host'];

const isSuccess = ({ status = 0 }: Outcome): boolean => status >= 200 && status < 300;
const isDown = ({ failure }: Outcome): boolean => failure !== undefined && IS_DOWN.includes(failure);

/** Creates the loop that reads events of a service and forwards each to the receiver, one after another. */
export function createRelay({ client, forwardEvent, notify, signal, service, receiver }: RelayParts) {
  let leasedAt = 0;

  // The signal ends a pause early. The loops then end, because they check the signal.
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);

  async function list(query: EventQuery): Promise<EventPage> {
    const page = await client.listEvents(query);
    leasedAt = performance.now();
    return page;
  }

  /** Reads a page, and repeats the request while the service is down. Returns `undefined` after the end. */
  async function readPage(query: EventQuery): Promise<EventPage | undefined> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const page = await list(query);
        if (failures > 0) notify(`${service} responds again.`);
        return page;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!isTemporary(error)) throw error;
        if (failures === 0) notify(`${service} does not respond (${error.code}). The command tries again.`);
        const seconds = Number(error.details?.['retryAfter'] ?? 0);
        await pause(Math.max(seconds * 1000, Math.min(MOST_BACKOFF_MS, 500 * 2 ** Math.min(failures, 4))));
      }
    }
    return undefined;
  }

  /** Renews the lease during a slow delivery, so that the service continues to write events. */
  async function keepLease(query: Omit<EventQuery, 'wait'>): Promise<void> {
    if (performance.now() - leasedAt < RENEW_MS) return;
    // A failure is reported when the next page is read.
    await list({ ...query, wait: 0, pageSize: 1 }).catch(() => undefined);
  }

  async function* relayEvent(
    event: ListedEvent,
    query: Omit<EventQuery, 'wait'>,
  ): AsyncGenerator<RelayedEvent, void> {
    let attempts = 0;
    let isReported = false;
    while (!signal.aborted) {
      await keepLease(query);
      const outcome = await forwardEvent(event);
      if (signal.aborted) return;
      if (isDown(outcome)) {
        if (!isReported) notify(`${receiver} does not respond. Events wait until it does.`);
        isReported = true;
        await pause(DOWN_MS);
        continue;
      }
      const retryInMs = isSuccess(outcome) ? undefined : RETRY_MS[attempts];
      yield { event, ...outcome, retryInMs };
      if (retryInMs === undefined) return;
      attempts += 1;
      await pause(retryInMs);
    }
  }

  /** Reads the first page, when the service responds. Returns `undefined` if the user ends the command before. */
  const begin = ({ after = 'latest', ...filter }: RelayFilter): Promise<EventPage | undefined> =>
    readPage({ ...filter, after, wait: 0 });

  /** Yields each attempt to forward an event, from the first page on. */
  async function* run(
    { types, connectionName }: RelayFilter,
    first: EventPage,
  ): AsyncGenerator<RelayedEvent, void> {
    let page: EventPage | undefined = first;
    while (page !== undefined && !signal.aborted) {
      const query = { types, connectionName, pageToken: page.nextPageToken };
      for (const event of page.items) yield* relayEvent(event, query);
      page = await readPage({ ...query, wait: WAIT_SECONDS });
    }
  }

  return { begin, run };
}

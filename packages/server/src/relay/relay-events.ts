import type { ListedEvent } from '../events/event-list.js';
import { explainReceiver, explainService } from './explain-outage.js';
import type { ForwardEvent, Outcome } from './forward-event.js';
import { type EventPage, type EventQuery, isTemporary, type ServiceClient } from './service-client.js';

export interface RelayParts {
  readonly client: ServiceClient;
  readonly forwardEvent: ForwardEvent;
  /** Prints a message when the service fails, when the receiver accepts no events, and when an event is dropped. */
  readonly notify: (message: string) => void;
  readonly signal: AbortSignal;
  /** Waits this number of milliseconds. Ends early if `signal` aborts. */
  readonly pause: (ms: number) => Promise<void>;
  /** URL of the service. It is only shown in messages. */
  readonly service: string;
  /** URL of the receiver. It is only shown in messages. */
  readonly receiver: string;
}

export interface RelayFilter {
  readonly types?: string | undefined;
  readonly connectionName?: string | undefined;
  /** Id of an event: only later events are forwarded. Default: only events that occur after the start. */
  readonly after?: string | undefined;
}

/** One attempt to forward an event to the receiver, with its result and the pause before the next attempt. */
export interface RelayedEvent extends Outcome {
  readonly event: ListedEvent;
  /** Milliseconds until the next attempt. Absent if this was the last one. */
  readonly retryInMs?: number | undefined;
}

const WAIT_SECONDS = 20;
/**
 * Pauses in milliseconds between the attempts to forward an event. The event is dropped if the attempt after the last
 * pause fails too.
 */
const RETRY_MS = [1000, 2000, 4000, 8000];
/** Milliseconds between attempts to reach a receiver that refuses connections or has an unknown host name. */
const DOWN_MS = 1000;
const MAX_BACKOFF_MS = 5000;
/**
 * Milliseconds after a request for events until the relay sends the next one, even during a delivery. After about a
 * minute without a request, the service stops storing events that no webhook endpoint wants.
 */
const RENEW_MS = 20_000;
/**
 * Failures of a delivery which mean that the receiver is not running. The relay repeats such a delivery until the
 * receiver runs, so that no event is lost.
 */
const IS_DOWN = ['refused', 'unknown_host'];

const isSuccess = ({ status = 0 }: Outcome): boolean => status >= 200 && status < 300;
const isDown = ({ failure }: Outcome): boolean => failure !== undefined && IS_DOWN.includes(failure);

/**
 * Creates the loop of the command `listen`. It reads events from the service and forwards them to the receiver, one
 * after another.
 */
export function createRelay({ client, forwardEvent, notify, signal, pause, service, receiver }: RelayParts) {
  let leasedAt = 0;
  /** Failure of the receiver that was reported last. Undefined after a success. */
  let reported: string | undefined;

  async function list(query: EventQuery): Promise<EventPage> {
    const page = await client.listEvents(query);
    leasedAt = performance.now();
    return page;
  }

  /**
   * Reads a page of events. Repeats the request while the service is down. Resolves to `undefined` if the command is
   * stopped.
   */
  async function readPage(query: EventQuery): Promise<EventPage | undefined> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const page = await list(query);
        if (failures > 0) notify(`${service} responds again.`);
        return page;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!isTemporary(error)) throw error;
        if (failures === 0) notify(explainService(service, error));
        const seconds = Number(error.details?.['retryAfter'] ?? 0);
        await pause(Math.max(seconds * 1000, Math.min(MAX_BACKOFF_MS, 500 * 2 ** Math.min(failures, 4))));
      }
    }
    return undefined;
  }

  /**
   * Requests one event if the last request for events is older than `RENEW_MS`. After about a minute without a request,
   * the service stops storing the events that only this command reads.
   */
  async function keepLease(query: Omit<EventQuery, 'wait'>): Promise<void> {
    if (performance.now() - leasedAt < RENEW_MS) return;
    // The error is ignored, because the next request for a page reports the same outage.
    await list({ ...query, wait: 0, pageSize: 1 }).catch(() => undefined);
  }

  /** Reports a failure of the receiver, but not again until the receiver has accepted an event or fails otherwise. */
  function reportFailure(outcome: Outcome): void {
    const explanation = isSuccess(outcome) ? undefined : explainReceiver(receiver, outcome);
    if (explanation !== undefined && explanation !== reported) notify(explanation);
    reported = explanation;
  }

  async function* relayEvent(
    event: ListedEvent,
    query: Omit<EventQuery, 'wait'>,
  ): AsyncGenerator<RelayedEvent, void> {
    let attempts = 0;
    while (!signal.aborted) {
      await keepLease(query);
      const outcome = await forwardEvent(event);
      if (signal.aborted) return;
      reportFailure(outcome);
      if (isDown(outcome)) {
        await pause(DOWN_MS);
        continue;
      }
      const retryInMs = isSuccess(outcome) ? undefined : RETRY_MS[attempts];
      yield { event, ...outcome, retryInMs };
      if (retryInMs === undefined) {
        if (!isSuccess(outcome))
          notify(`${event.id} failed in ${attempts + 1} attempts. Read it with GET /v1/events/${event.id}.`);
        return;
      }
      attempts += 1;
      await pause(retryInMs);
    }
  }

  /**
   * Reads the first page of events, and waits until the service responds. Resolves to `undefined` if the user stops the
   * command first.
   */
  const begin = ({ after = 'latest', ...filter }: RelayFilter): Promise<EventPage | undefined> =>
    readPage({ ...filter, after, wait: 0 });

  /** Forwards the events of the first page and of all later pages. Yields the result of each attempt. */
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

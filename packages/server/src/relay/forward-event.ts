import { failureReason, ServiceError } from '../errors.js';
import type { ListedEvent } from '../events/event-list.js';
import { signatureHeaders } from '../events/sign-delivery.js';
import type { Cancellation, SendHttp } from '../http/send-http.js';
import type { Secret } from '../secret.js';
import { RELAY } from './relay-origins.js';

export interface ForwardParts {
  readonly send: SendHttp;
  /** URL of the receiver, to which events are sent. */
  readonly url: string;
  readonly secret: Secret;
  readonly now: () => number;
  readonly signal: Cancellation;
}

/** Result of one attempt to send an event to the receiver. */
export interface Outcome {
  readonly durationMs: number;
  /** HTTP status of the receiver's response. Absent if there was no response. */
  readonly status?: number;
  /** Reason why the receiver sent no response, such as `refused` for a refused connection. */
  readonly failure?: string;
}

const TIMEOUT_MS = 15_000;

/**
 * Creates the function that sends an event to the receiver once. The request is signed like a webhook of the service.
 */
export function createForwardEvent({ send, url, secret, now, signal }: ForwardParts) {
  const { origin, pathname, search } = new URL(url);

  return async function forwardEvent({ id, type, timestamp, data }: ListedEvent): Promise<Outcome> {
    // The body is the JSON of a webhook that the service itself sends. Very large numbers of an upstream may be rounded.
    const body = JSON.stringify({ type, timestamp, data });
    const headers = [
      ...['content-type', 'application/json', 'user-agent', 'svc-webhooks'],
      ...signatureHeaders({ id, at: now(), body }, [secret]),
    ];
    const startedAt = performance.now();
    const result = await send({
      ...RELAY,
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body: Buffer.from(body),
      totalMs: TIMEOUT_MS,
      signal,
    }).then(
      ({ status, body: responseBody }) => {
        responseBody.discard();
        return { status };
      },
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
        return { failure: failureReason(error) };
      },
    );
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  };
}

export type ForwardEvent = ReturnType<typeof createForwardEvent>;

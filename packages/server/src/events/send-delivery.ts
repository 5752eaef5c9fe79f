import { cutText } from '@svc/catalog';
import type { Callers } from '../caller.js';
import { NO_MEMORY } from '../concurrency/body-memory.js';
import { isUnavailable } from '../concurrency/retry-while-unavailable.js';
import { failureReason, type ServiceError } from '../errors.js';
import type { ResponseBody } from '../http/response-body.js';
import { parseRetryAfter } from '../http/retry-after.js';
import type { HttpResponse, SendHttp } from '../http/send-http.js';
import { WEBHOOK_ORIGINS } from '../names/allowed-origins.js';
import type { Secret } from '../secret.js';
import type { WebhookEndpointRow } from '../storage/event-rows.js';
import type { EventBody } from '../storage/events-table.js';
import type { Vault } from '../vault/vault.js';
import type { StoredAttempt } from './delivery-log.js';
import { openSecrets } from './endpoint-secrets.js';
import { type SignedMessage, signatureHeaders } from './sign-delivery.js';
import type { WithBody } from './with-body.js';

/** Outcome of one attempt to send a webhook delivery. */
export interface AttemptOutcome {
  readonly attempt: StoredAttempt;
  /**
   * `gone`: the endpoint responded with 410, so it wants no more deliveries. `postponed`: the service could not send
   * the request, because it is stopping, its root key service is down, memory is short, or the signing secret cannot be
   * decrypted. A postponed attempt does not count as an attempt.
   */
  readonly result: 'succeeded' | 'failed' | 'gone' | 'postponed';
  /**
   * Milliseconds until the next attempt, if the endpoint requested a wait with Retry-After or the service postponed the
   * attempt.
   */
  readonly retryAfterMs?: number | undefined;
  /** True if the signing secret cannot be decrypted. The service then postpones the attempt and pauses the endpoint. */
  readonly isUnsigned?: boolean;
}

/** Event to send, as the database stores it, without a payload from an upstream. */
type Message = Pick<EventBody, 'id' | 'body' | 'payloadBytes'>;

export interface SendDeliveryParts {
  readonly withBody: WithBody;
  readonly send: SendHttp;
  readonly vault: Pick<Vault, 'open'>;
  readonly callers: Pick<Callers, 'run'>;
  readonly now: () => number;
  /** Aborts the requests when this process stops. */
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 15_000;
/** Maximum number of bytes of an endpoint's response body that are read for the delivery's log. */
const MAX_BYTES = 1024;
/** Milliseconds until the next attempt if the root key service is down. */
const POSTPONED_MS = 30_000;
/** Milliseconds until the next attempt if the signing secret cannot be decrypted, unless the endpoint is paused. */
const UNSIGNED_MS = 1000;
const GONE = 410;
const ASKS_TO_WAIT = [429, 502, 503, 504];

/** Reads the beginning of a response body. Closes the connection if the body is longer. */
async function readBeginning(body: ResponseBody): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new Error(`The response of the webhook endpoint is longer than ${MAX_BYTES} bytes.`);
  };
  // Ignores an incomplete body, because only the HTTP status decides whether the delivery succeeded.
  await body.drain(take).catch(() => undefined);
  return cutText(Buffer.concat(chunks).subarray(0, MAX_BYTES).toString(), MAX_BYTES);
}

const resultOf = (status: number): AttemptOutcome['result'] => {
  if (status >= 200 && status < 300) return 'succeeded';
  return status === GONE ? 'gone' : 'failed';
};

/** Returns the milliseconds until the next attempt, after an error that kept the service from sending the request. */
function postponedMs({ reason, details }: ServiceError): number {
  const retryAfter = reason === NO_MEMORY ? details?.['retryAfter'] : undefined;
  return typeof retryAfter === 'number' ? retryAfter * 1000 : POSTPONED_MS;
}

const unsigned = (at: number): AttemptOutcome => ({
  attempt: { at, durationMs: 0, failure: 'secret_unreadable' },
  result: 'postponed',
  retryAfterMs: UNSIGNED_MS,
  isUnsigned: true,
});

/** Creates the function that makes one attempt to send an event to a webhook endpoint. It does not follow redirects. */
export function createSendDelivery({ withBody, send, vault, callers, now, signal }: SendDeliveryParts) {
  async function post(
    endpoint: WebhookEndpointRow,
    message: SignedMessage,
    secrets: readonly Secret[],
  ): Promise<HttpResponse> {
    const { origin, pathname, search } = new URL(endpoint.url);
    return send({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: [
        'content-type',
        'application/json',
        'user-agent',
        'svc-webhooks',
        ...signatureHeaders(message, secrets),
      ],
      body: Buffer.from(message.body),
      owner: `webhooks of ${endpoint.applicationId}`,
      connector: WEBHOOK_ORIGINS,
      totalMs: TIMEOUT_MS,
      signal,
    });
  }

  async function attempt(endpoint: WebhookEndpointRow, message: Message): Promise<AttemptOutcome> {
    const at = now();
    try {
      const secrets = await openSecrets(vault, endpoint, at);
      if (secrets === undefined) return unsigned(at);
      const event = { applicationId: endpoint.applicationId, ...message };
      const { status, headers, body } = await withBody(event, (complete) =>
        post(endpoint, { id: message.id, at, body: complete }, secrets),
      );
      const response = await readBeginning(body);
      const retryAfter = ASKS_TO_WAIT.includes(status)
        ? parseRetryAfter(headers['retry-after'], new Date(now()))
        : undefined;
      return {
        attempt: { at, durationMs: now() - at, status, ...(response !== '' && { response }) },
        result: resultOf(status),
        retryAfterMs: retryAfter === undefined ? undefined : retryAfter * 1000,
      };
    } catch (error) {
      const attempted = { at, durationMs: now() - at, failure: failureReason(error) };
      if (signal.aborted) return { attempt: attempted, result: 'postponed' };
      if (isUnavailable(error))
        return { attempt: attempted, result: 'postponed', retryAfterMs: postponedMs(error) };
      return { attempt: attempted, result: 'failed' };
    }
  }

  /**
   * Sends an event to a webhook endpoint. Never rejects. If the endpoint's IP address is not allowed, the refusal is
   * recorded in the application's audit log.
   */
  return function sendDelivery(endpoint: WebhookEndpointRow, message: Message): Promise<AttemptOutcome> {
    const { applicationId } = endpoint;
    const caller = { actor: 'service', applicationId, requestId: null, address: null };
    return callers.run(
      () => caller,
      () => attempt(endpoint, message),
    );
  };
}

export type SendDelivery = ReturnType<typeof createSendDelivery>;

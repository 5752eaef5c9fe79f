import type { RetryOptions, ShouldRetryState } from 'ky';
import type { Call, SendOptions } from './call.js';
import { ServiceError } from './errors.js';

/** Delay before the first retry in milliseconds. The delay doubles with each retry. */
const FIRST_BACKOFF = 300;
/**
 * Retry limit for ky that is never reached within a timeout. `shouldRetry` decides instead, because some retries may
 * exceed `maxRetries`.
 */
const NO_LIMIT = 1e9;

interface Limits {
  readonly maxRetries: number;
  /** Time after which no retry starts, in epoch milliseconds. */
  readonly deadline: number;
  /** Requests another access token, and resolves to true if it differs from the rejected one. */
  readonly renewToken: () => Promise<boolean>;
}

/** Fields of a `ServiceError` that decide whether a call is retried. All fields are absent when no response arrived. */
interface Failure {
  readonly code?: string;
  readonly status?: number | undefined;
  /** Seconds that the client waits before it retries the call. */
  readonly retryAfter?: number | undefined;
  /** False when a retry of the call could charge twice or repeat half of the work. */
  readonly repeatable?: boolean;
  /** Number of attempts that the service made to call the upstream, if the service has retried. */
  readonly attempts?: number;
}

/** Returns ky's retry options: which failed attempts of a call are retried, and after which delay. */
export function retryPolicy(call: Call, options: SendOptions, limits: Limits): RetryOptions {
  const { maxRetries, deadline, renewToken } = limits;
  /** Delay before the next retry that the last response requested, in milliseconds. */
  let requestedDelay = 0;

  async function shouldRetry({ error, retryCount }: ShouldRetryState): Promise<boolean> {
    const failure: Failure = error instanceof ServiceError ? error : {};
    requestedDelay = (failure.retryAfter ?? 0) * 1000;
    // Retries once with a new access token. If the service rejects that token too, another token cannot help.
    if (failure.code === 'unauthorized') return retryCount === 1 && renewToken();
    // `conflict` with `Retry-After` means that an earlier attempt of the call still runs. The client polls for its
    // response until the deadline, regardless of `maxRetries`.
    const isRunning = failure.code === 'conflict' && requestedDelay > 0;
    const isAllowed = isRunning || (retryCount <= maxRetries && isRetryable(failure, call, options));
    return isAllowed && Date.now() + requestedDelay <= deadline;
  }

  function delay(retryCount: number): number {
    const backoff = FIRST_BACKOFF * 2 ** (retryCount - 1);
    return requestedDelay || Math.random() * backoff;
  }

  // Disables retries for a proxied payload, because a retry would have to buffer the whole stream.
  const limit = call.isProxied && call.form_data ? 0 : NO_LIMIT;
  return { limit, methods: [call.method], shouldRetry, delay };
}

function isRetryable(
  { code, status, repeatable, attempts = 1 }: Failure,
  { method, isProxied }: Call,
  { readOnly, idempotencyKey }: SendOptions,
): boolean {
  // The client does not retry upstream errors, because the service has already retried them where that is safe.
  if (code === 'upstream_failed' || repeatable === false || attempts > 1) return false;
  // A rate-limited call is safe to retry, because the service ran nothing.
  if (status === 429) return true;
  const isTemporary = status === undefined || status >= 502;
  // The service runs each idempotency key once. It ignores the key of a PATCH, and of a DELETE, which is safe to repeat.
  // Excludes proxied requests, because only the caller knows how the upstream treats the key.
  const runsOnce = idempotencyKey && !isProxied && method !== 'PATCH';
  return isTemporary && Boolean(method === 'GET' || readOnly || runsOnce);
}

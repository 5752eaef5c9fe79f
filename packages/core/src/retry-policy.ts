import type { RetryOptions, ShouldRetryState } from 'ky';
import type { Call, SendOptions } from './call.js';
import { ServiceError } from './errors.js';

/** Milliseconds. Doubles with each retry. */
const FIRST_BACKOFF = 300;
/** ky's own limit is off, because some retries go beyond `maxRetries`. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

interface Limits {
  readonly maxRetries: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Requests another token, and reports whether it differs from the rejected one. */
  readonly renewToken: () => Promise<boolean>;
}

/** Fields of a `ServiceError` that decide about a retry. All are absent when there was no response. */
interface Failure {
  readonly code?: string;
  readonly status?: number | undefined;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** False when a retry may charge twice, or repeat half of the work. */
  readonly repeatable?: boolean;
  /** Attempts of the service, when it has retried. */
  readonly attempts?: number;
}

/** Decides for ky which failed attempts of a call are retried, and after which delay. */
export function retryPolicy(call: Call, options: SendOptions, limits: Limits): RetryOptions {
  const { maxRetries, deadline, renewToken } = limits;
  /** Milliseconds that the last response asked to wait. */
  let requestedDelay = 0;

  async function shouldRetry({ error, retryCount }: ShouldRetryState): Promise<boolean> {
    const failure: Failure = error instanceof ServiceError ? error : {};
    requestedDelay = (failure.retryAfter ?? 0) * 1000;
    // Stops when a new token is rejected too, because another token cannot help.
    if (failure.code === 'unauthorized') return retryCount === 1 && renewToken();
    // The same call is still running. Its response is requested until the deadline, however often.
    const isRunning = failure.code === 'conflict' && requestedDelay > 0;
    const isAllowed = isRunning || (retryCount <= maxRetries && isRetryable(failure, call, options));
    return isAllowed && Date.now() + requestedDelay <= deadline;
  }

  function delay(retryCount: number): number {
    const backoff = FIRST_BACKOFF * 2 ** (retryCount - 1);
    return requestedDelay || Math.random() * backoff;
  }

  // A proxied payload is sent once, because a retry would have to buffer the whole stream.
  const limit = call.isProxied && call.form_data ? 0 : NO_LIMIT;
  return { limit, methods: [call.method], shouldRetry, delay };
}

function isRetryable(
  { code, status, repeatable, attempts = 1 }: Failure,
  call: Call,
  options: SendOptions,
): boolean {
  // The service itself has retried what the upstream rejected, where the connector allows it.
  if (code === 'upstream_failed' || repeatable === false || attempts > 1) return false;
  // The service ran nothing.
  if (status === 429) return true;
  const isTemporary = status === undefined || status >= 502;
  return isTemporary && isSafeToRepeat(call, options);
}

function isSafeToRepeat({ method, isProxied }: Call, { readOnly, idempotencyKey }: SendOptions): boolean {
  if (method === 'GET' || readOnly) return true;
  // The service runs one key once. Only the caller knows what a key means to an upstream.
  return Boolean(idempotencyKey) && !isProxied;
}

import type { Connector } from '@svc/catalog';
import type { ResolvedAccount } from '../connections/resolved-account.js';
import { ServiceError } from '../errors.js';
import type { Cancellation } from '../http/send-http.js';
import { findErrorRule } from '../upstream/error-rule.js';
import { type RetryBudget, retryDelay } from '../upstream/retry.js';
import type { Trace } from '../upstream/trace.js';

interface RetryParts {
  readonly budget: RetryBudget;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), for the jitter of the backoff. */
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: Cancellation) => Promise<void>;
}

interface RetryContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /**
   * True if the upstream request can be repeated safely, because it changes nothing at the upstream or has an
   * idempotency key.
   */
  readonly isRepeatable: boolean;
  readonly signal?: Cancellation | undefined;
  /** Measured durations of the tool call. The retry adds the duration of its pauses to `pausedMs`. */
  readonly trace?: Pick<Trace, 'pausedMs'> | undefined;
}

function isRetryable(error: ServiceError, { connector, isRepeatable }: RetryContext): boolean {
  const { status, body, reason } = error.details ?? {};
  if (error.code === 'connection_failed')
    return isRepeatable && (reason === 'refused' || reason === 'closed');
  if (error.code !== 'upstream_failed' || typeof status !== 'number') return false;
  const retry = findErrorRule(connector.errors, status, body)?.retry;
  return retry === 'any' || (retry === 'reads' && isRepeatable);
}

function withAttempts(error: unknown, attempts: number): unknown {
  if (!(error instanceof ServiceError)) return error;
  return new ServiceError(error.code, error.message, { ...error.details, attempts }, { cause: error.cause });
}

export function createRetryWithBackoff({ budget, random, sleep }: RetryParts) {
  /**
   * Returns the delay before the next attempt of an upstream request, in milliseconds. Returns `undefined` if the error
   * must not be retried.
   */
  function delayAfter(error: unknown, attempts: number, context: RetryContext): number | undefined {
    const { account, connector, signal } = context;
    if (signal?.aborted || !(error instanceof ServiceError) || !isRetryable(error, context)) return undefined;
    const retryAfter = error.details?.['retryAfter'];
    const delay = retryDelay(attempts, typeof retryAfter === 'number' ? retryAfter : undefined, {
      retry: connector.retry,
      random,
    });
    return delay !== undefined && budget.take(account.connectionId) ? delay : undefined;
  }

  /**
   * Retries an upstream request if the error rules of the connector allow it and the retry budget is not used up.
   * `details.attempts` of the final error gives the number of attempts, so that clients do not multiply the retries.
   */
  async function retryWithBackoff<Result>(
    context: RetryContext,
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    budget.countCall(context.account.connectionId);
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        const delay = delayAfter(error, attempts, context);
        if (delay === undefined) throw attempts === 1 ? error : withAttempts(error, attempts);
        const began = performance.now();
        await sleep(delay, context.signal);
        if (context.trace) context.trace.pausedMs += performance.now() - began;
      }
    }
  }

  return retryWithBackoff;
}

export type RetryWithBackoff = ReturnType<typeof createRetryWithBackoff>;

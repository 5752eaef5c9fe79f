import type { Connector, ErrorRule } from '@svc/catalog';
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
  /** True if the upstream request changes nothing at the upstream, so that it can be repeated safely. */
  readonly isRead: boolean;
  /** True if the upstream request has an idempotency key for the upstream, so that it can be repeated safely. */
  readonly hasKey?: boolean | undefined;
  readonly signal?: Cancellation | undefined;
  /** Measured durations of the tool call. The retry adds the duration of its pauses to `pausedMs`. */
  readonly trace?: Pick<Trace, 'pausedMs'> | undefined;
}

/** Returns the rule of the connector for retries after this error. */
function retryRuleOf(error: ServiceError, { connector }: RetryContext): ErrorRule['retry'] {
  const { status, body } = error.details ?? {};
  if (error.code !== 'upstream_failed' || typeof status !== 'number') return undefined;
  return findErrorRule(connector.errors, status, body)?.retry;
}

function isRetryable(error: ServiceError, context: RetryContext): boolean {
  const { reason } = error;
  const isRepeatable = context.isRead || context.hasKey === true;
  if (error.code === 'connection_failed')
    return isRepeatable && (reason === 'refused' || reason === 'closed');
  const retry = retryRuleOf(error, context);
  return retry === 'any' || (retry === 'reads' && isRepeatable);
}

/**
 * Returns true if a failed attempt may have changed something at the upstream. It has not if the upstream was
 * unreachable, or if its error allows a retry of every request.
 */
const mayHaveHappened = (error: ServiceError, context: RetryContext): boolean =>
  !context.isRead && error.reason !== 'refused' && retryRuleOf(error, context) !== 'any';

function withAttempts(error: ServiceError, attempts: number): ServiceError {
  return new ServiceError(error.code, error.message, { ...error.details, attempts }, { cause: error.cause });
}

/**
 * Returns the last error of a write whose earlier attempt may have taken effect. The error says so, because the last
 * attempt alone may have been refused for certain.
 */
function withUnknownOutcome(error: ServiceError): ServiceError {
  const { retryAfter: _, ...details } = error.details ?? {};
  return new ServiceError(
    error.code,
    `An earlier attempt of this request may have taken effect at the upstream. Check that before you repeat the call. The last attempt failed: ${error.message}`,
    { ...details, reason: 'outcome_unknown', repeatable: false },
    { cause: error.cause },
  );
}

export function createRetryWithBackoff({ budget, random, sleep }: RetryParts) {
  /**
   * Returns the delay before the next attempt of an upstream request, in milliseconds. Returns `undefined` if the error
   * must not be retried.
   */
  function delayAfter(error: ServiceError, attempts: number, context: RetryContext): number | undefined {
    const { account, connector, signal } = context;
    if (signal?.aborted || !isRetryable(error, context)) return undefined;
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
    let isOutcomeUnknown = false;
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const delay = delayAfter(error, attempts, context);
        if (delay === undefined) {
          const last = attempts === 1 ? error : withAttempts(error, attempts);
          throw isOutcomeUnknown ? withUnknownOutcome(last) : last;
        }
        isOutcomeUnknown ||= mayHaveHappened(error, context);
        const began = performance.now();
        await sleep(delay, context.signal).catch((left: ServiceError) => {
          throw isOutcomeUnknown ? withUnknownOutcome(left) : left;
        });
        if (context.trace) context.trace.pausedMs += performance.now() - began;
      }
    }
  }

  return retryWithBackoff;
}

export type RetryWithBackoff = ReturnType<typeof createRetryWithBackoff>;

import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Cancellation, ResolvedAccount } from '../upstream/forward.js';
import { type RetryBudget, retryDelay } from '../upstream/retry.js';

interface RetryParts {
  readonly budget: RetryBudget;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: Cancellation) => Promise<void>;
}

interface RetryContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  /** The attempt changes nothing upstream. */
  readonly isRead: boolean;
  readonly signal?: Cancellation | undefined;
}

function isRetryable(error: ServiceError, { connector, isRead }: RetryContext): boolean {
  const { status, body, reason } = error.details ?? {};
  if (error.code === 'connection_failed') return isRead && (reason === 'refused' || reason === 'closed');
  if (error.code !== 'upstream_failed' || typeof status !== 'number') return false;
  const retry = findErrorRule(connector.errors, status, body)?.retry;
  return retry === 'any' || (retry === 'reads' && isRead);
}

function withAttempts(error: unknown, attempts: number): unknown {
  if (!(error instanceof ServiceError)) return error;
  return new ServiceError(error.code, error.message, { ...error.details, attempts }, { cause: error.cause });
}

export function createRetryWithBackoff({ budget, random, sleep }: RetryParts) {
  /** Returns milliseconds, or `undefined` for an error that ends the call. */
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
   * Repeats an attempt that failed where the error rules of the connector allow it and its retry budget lasts. The error
   * of a repeated attempt has their number in `details.attempts`, so that the client does not multiply the retries.
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
        await sleep(delay, context.signal);
      }
    }
  }

  return retryWithBackoff;
}

export type RetryWithBackoff = ReturnType<typeof createRetryWithBackoff>;

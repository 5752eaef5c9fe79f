import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { Cancellation, ResolvedAccount } from '../upstream/forward.js';
import { type RetryBudget, retryDelay } from '../upstream/retry.js';

export interface RepeatParts {
  readonly budget: RetryBudget;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: Cancellation) => Promise<void>;
}

export interface RepeatContext {
  readonly account: ResolvedAccount;
  readonly connector: Connector;
  readonly signal?: Cancellation | undefined;
}

export interface Attempt<Result> {
  /** It changes nothing upstream. */
  readonly isRead: boolean;
  readonly run: () => Promise<Result>;
}

/** Makes an attempt, and repeats it where the connector says that it is safe and of use. */
export type Repeat = <Result>(attempt: Attempt<Result>) => Promise<Result>;

function isRepeatable(error: ServiceError, isRead: boolean, connector: Connector): boolean {
  const { status, body, reason } = error.details ?? {};
  if (error.code === 'connection_failed') return isRead && (reason === 'refused' || reason === 'closed');
  if (error.code !== 'upstream_failed' || typeof status !== 'number') return false;
  const retry = findErrorRule(connector.errors, status, body)?.retry;
  return retry === 'any' || (retry === 'reads' && isRead);
}

function delayAfter(
  error: unknown,
  attempt: { readonly count: number; readonly isRead: boolean },
  { account, budget, connector, random, signal }: RepeatContext & RepeatParts,
): number | undefined {
  if (signal?.aborted || !(error instanceof ServiceError)) return undefined;
  if (!isRepeatable(error, attempt.isRead, connector)) return undefined;
  const retryAfter = error.details?.['retryAfter'];
  const delay = retryDelay(attempt.count, typeof retryAfter === 'number' ? retryAfter : undefined, {
    retry: connector.retry,
    random,
  });
  return delay !== undefined && budget.take(account.connectionId) ? delay : undefined;
}

export const createRepeat =
  (parts: RepeatParts) =>
  (context: RepeatContext): Repeat =>
  async ({ isRead, run }) => {
    parts.budget.countCall(context.account.connectionId);
    for (let count = 1; ; count += 1) {
      try {
        return await run();
      } catch (error) {
        const delay = delayAfter(error, { count, isRead }, { ...parts, ...context });
        if (delay === undefined) throw error;
        await parts.sleep(delay, context.signal);
      }
    }
  };

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits before the attempts of a delivery, in milliseconds: the schedule of Standard Webhooks, which ends after about
 * 75 hours.
 */
export const SCHEDULE_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Largest part by which a wait is longer or shorter, so that failed deliveries do not all return at once. */
const JITTER = 0.2;
const LONGEST_MS = 24 * HOUR_MS;

export interface RetryRequest {
  /** Number of attempts until now. */
  readonly attempts: number;
  /** Wait in milliseconds that the endpoint requested with Retry-After. */
  readonly retryAfterMs?: number | undefined;
  /** Random number from 0 to 1. */
  readonly jitter: number;
}

/**
 * Returns the wait before the next attempt in milliseconds; `undefined` after the last attempt. A requested wait counts
 * up to twice the scheduled one, and up to a day.
 */
export function waitBeforeRetry({ attempts, retryAfterMs = 0, jitter }: RetryRequest): number | undefined {
  const scheduled = SCHEDULE_MS[attempts];
  if (scheduled === undefined) return undefined;
  const wait = scheduled * (1 - JITTER + 2 * JITTER * jitter);
  const requested = Math.min(retryAfterMs, 2 * scheduled, LONGEST_MS);
  return Math.round(Math.max(wait, requested));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Milliseconds to wait before each attempt of a delivery, from the schedule of Standard Webhooks. Its last attempt is
 * about 75 hours after the first.
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

/**
 * Maximum fraction by which a wait is randomly shortened or extended, so that failed deliveries are not all repeated at
 * the same time.
 */
const JITTER = 0.2;
/** Maximum wait that an endpoint can request. An endpoint that fails for five days is disabled anyway. */
const MAX_MS = 24 * HOUR_MS;

export interface RetryRequest {
  /** Number of attempts so far to send the delivery. */
  readonly attempts: number;
  /** Wait in milliseconds that the endpoint requested with Retry-After. */
  readonly retryAfterMs?: number | undefined;
  /** Random number from 0 to 1, which varies the wait. */
  readonly jitter: number;
}

/**
 * Returns the wait before the next attempt in milliseconds, or `undefined` after the last attempt. A longer wait that
 * the endpoint requests is respected up to a day.
 */
export function waitBeforeRetry({ attempts, retryAfterMs = 0, jitter }: RetryRequest): number | undefined {
  const scheduled = SCHEDULE_MS[attempts];
  if (scheduled === undefined) return undefined;
  const wait = scheduled * (1 - JITTER + 2 * JITTER * jitter);
  return Math.round(Math.max(wait, Math.min(retryAfterMs, MAX_MS)));
}

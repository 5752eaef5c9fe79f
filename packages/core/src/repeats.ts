import { ServiceError } from './errors.js';

interface Rules {
  /** Whether the same call may run twice. */
  readonly isSafe: boolean;
  readonly maxRetries: number;
  /** When the call's time is over, in milliseconds since 1970. */
  readonly end: number;
  /** Whether there is another token than the one that was refused. */
  readonly renew: () => Promise<boolean>;
}

/** Says of each failure of a call, and the how manieth it is, whether another attempt follows. */
export function repeats({ isSafe, maxRetries, end, renew }: Rules) {
  let waits = 0;
  return async (failure: unknown, count: number): Promise<boolean> => {
    if (!(failure instanceof ServiceError)) return false;
    const { code, status, retryAfter = 0, repeatable }: ServiceError & { repeatable?: boolean } = failure;
    if (code === 'unauthorized') return count < 2 && renew();
    // The same call runs already: its answer is waited for, as long as the call has time.
    const isRunning = code === 'conflict' && retryAfter > 0;
    if (isRunning) waits += 1;
    // What an upstream refused was repeated by the service, where its connector allows it.
    if (code === 'upstream_failed' || repeatable === false || count - waits > maxRetries) return false;
    // Nothing ran when the service answered 429; without a status nobody answered.
    const isTemporary = isRunning || status === 429 || (isSafe && (!status || status > 501));
    return isTemporary && code !== 'invalid_request' && retryAfter * 1000 <= end - Date.now();
  };
}

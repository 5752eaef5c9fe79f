import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors.js';

const RETRY_MS = 500;
// Maximum wait for a result to be stored, in milliseconds. Afterwards the caller continues, even if the database does
// not respond.
const STORE_WAIT_MS = 5000;

/** Returns true for an error after which the same work may succeed later. */
export const isUnavailable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'unavailable';

/** Retries the work while the database is unavailable, for at most `forMs` milliseconds. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  forMs: number,
): Promise<Result> {
  const deadline = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() >= deadline) throw error;
    }
    await sleep(RETRY_MS, undefined, { ref: false });
  }
}

/**
 * Waits until `stored`, the promise of a database write, resolves, but at most `ms` milliseconds (default: 5 s). After
 * a timeout, the write continues in the background. `stored` must not reject.
 */
export const waitUntilStored = (stored: Promise<unknown>, ms = STORE_WAIT_MS): Promise<unknown> =>
  Promise.race([stored, sleep(ms, undefined, { ref: false })]);

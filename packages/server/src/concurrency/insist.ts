import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors.js';

const AGAIN_MS = 500;
// Whoever waits for what has ended waits no longer for it to be kept, whatever the database does.
const KEPT_MS = 5000;

const isOutage = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';

/** Does the work again while the database is away, for so many milliseconds. */
export async function insist(work: () => Promise<void>, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || performance.now() >= until) throw error;
    }
    await sleep(AGAIN_MS, undefined, { ref: false });
  }
}

/** Waits a few seconds for something to be kept, which goes on if it takes longer. Must be given what does not reject. */
export const untilKept = (kept: Promise<void>, ms = KEPT_MS): Promise<unknown> =>
  Promise.race([kept, sleep(ms, undefined, { ref: false })]);

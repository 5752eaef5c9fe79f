import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { AccountRow } from '../storage/schema.js';

type Intent = Pick<AccountRow, 'id' | 'version' | 'refreshStartedAt'>;

const keyOf = ({ id, version, refreshStartedAt }: Intent) => `${id} ${version} ${refreshStartedAt}`;

/**
 * Creates the functions that delay a token refresh while another process may still be working on one. Each process
 * stores the start of its refresh. If it crashes or loses the account's lock, the stored start remains.
 */
export function createOpenIntents({
  graceMs,
  now: clock,
}: {
  /** Milliseconds for which a process may still work on a refresh after it has lost the account's lock. */
  readonly graceMs: number;
  readonly now: () => number;
}) {
  const now = createMonotonicClock(clock);
  const overAt = new LRUCache<string, number>(entryLimit(10_000));

  /**
   * Returns the milliseconds until the process that started a refresh has certainly stopped working on it. The time
   * counts from when this process first sees the stored start, because clocks of machines differ.
   */
  function waitOf(intent: Intent): number {
    if (intent.refreshStartedAt === null || graceMs === 0) return 0;
    const key = keyOf(intent);
    const over = overAt.get(key) ?? now() + graceMs;
    overAt.set(key, over);
    return Math.max(0, over - now());
  }

  /** Ends the wait for a token refresh that this process started itself and knows to be finished. */
  function end(intent: Intent): void {
    overAt.set(keyOf(intent), 0);
  }

  return { waitOf, end };
}

export type OpenIntents = ReturnType<typeof createOpenIntents>;

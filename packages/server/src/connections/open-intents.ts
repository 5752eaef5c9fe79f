import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { AccountRow } from '../storage/schema.js';

type Intent = Pick<AccountRow, 'id' | 'version' | 'refreshStartedAt'>;

const keyOf = ({ id, version, refreshStartedAt }: Intent) => `${id} ${version} ${refreshStartedAt}`;

/**
 * Creates the waits for unfinished refreshes. A refresh is unfinished if its start is stored but its process crashed or
 * lost the account's lock.
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
   * Returns the milliseconds until the process of an unfinished refresh has certainly stopped. The wait starts when
   * this process first sees it, because clocks of machines differ.
   */
  function waitOf(intent: Intent): number {
    if (intent.refreshStartedAt === null || graceMs === 0) return 0;
    const key = keyOf(intent);
    const over = overAt.get(key) ?? now() + graceMs;
    overAt.set(key, over);
    return Math.max(0, over - now());
  }

  /** Ends the wait for a refresh of this process, because it is known to be finished. */
  function end(intent: Intent): void {
    overAt.set(keyOf(intent), 0);
  }

  return { waitOf, end };
}

export type OpenIntents = ReturnType<typeof createOpenIntents>;

import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { AccountRow } from '../storage/schema.js';

type Intent = Pick<AccountRow, 'id' | 'version' | 'refreshStartedAt'>;

const keyOf = ({ id, version, refreshStartedAt }: Intent) => `${id} ${version} ${refreshStartedAt}`;

/** Intents to refresh whose process crashed or lost its lock: they are open although the account is not locked. */
export function createOpenIntents({
  graceMs,
  now: clock,
}: {
  /** Time for which a process may keep working after it lost the lock of an account. */
  readonly graceMs: number;
  readonly now: () => number;
}) {
  const now = createMonotonicClock(clock);
  const overAt = new LRUCache<string, number>(entryLimit(10_000));

  /**
   * Milliseconds until the process that opened the intent has certainly stopped. Counted from this process's first look,
   * because the time of the intent comes from another machine's clock.
   */
  function waitOf(intent: Intent): number {
    if (intent.refreshStartedAt === null || graceMs === 0) return 0;
    const key = keyOf(intent);
    const over = overAt.get(key) ?? now() + graceMs;
    overAt.set(key, over);
    return Math.max(0, over - now());
  }

  /** Ends the wait for an intent of this process. */
  function end(intent: Intent): void {
    overAt.set(keyOf(intent), 0);
  }

  return { waitOf, end };
}

export type OpenIntents = ReturnType<typeof createOpenIntents>;

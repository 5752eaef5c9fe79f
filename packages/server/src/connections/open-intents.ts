import { LRUCache } from 'lru-cache';
import { entryLimit } from '../concurrency/entry-limit.js';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';
import type { AccountRow } from '../storage/schema.js';

type Intent = Pick<AccountRow, 'id' | 'version' | 'refreshStartedAt'>;

export interface OpenIntentsParts {
  /** How long a process that has lost the account without knowing it may still be at work. */
  readonly graceMs: number;
  readonly now: () => number;
}

/** Intents to refresh that are open, though nobody holds the account: the process that opened them is dead, or cut off. */
export interface OpenIntents {
  /**
   * Milliseconds until it is certain that whoever opened the intent is not at work any more. They are counted from when this
   * process saw it first: the time in the intent is another machine's.
   */
  waitOf(intent: Intent): number;
  /** This process opened it, and is not at work any more. */
  end(intent: Intent): void;
}

const keyOf = ({ id, version, refreshStartedAt }: Intent) => `${id} ${version} ${refreshStartedAt}`;

export function createOpenIntents({ graceMs, now: clock }: OpenIntentsParts): OpenIntents {
  const now = createMonotonicClock(clock);
  const overAt = new LRUCache<string, number>(entryLimit(10_000));
  return {
    waitOf: (intent) => {
      if (intent.refreshStartedAt === null || graceMs === 0) return 0;
      const key = keyOf(intent);
      const over = overAt.get(key) ?? now() + graceMs;
      overAt.set(key, over);
      return Math.max(0, over - now());
    },
    end: (intent) => {
      overAt.set(keyOf(intent), 0);
    },
  };
}

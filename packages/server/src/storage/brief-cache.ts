import { LRUCache } from 'lru-cache';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

/** Keeps what was read for a while, and less when it was changed in this process. */
export interface BriefCache<Value> {
  get(key: string): Value | undefined;
  /**
   * Keeps what `read` gives, unless something was dropped while it read: then it may be out of date. It is as old as the
   * read, however long that takes.
   */
  fill(read: () => Promise<Value>, keyOf: (value: Value) => string): Promise<Value>;
  /** The same for what many ask at once: they share a read, unless something was dropped since it began, or it is as old as what is kept may be. */
  ask(question: string, read: () => Promise<Value>, keyOf: (value: Value) => string): Promise<Value>;
  drop(key: string): void;
  clear(): void;
}

interface Asked<Value> {
  readonly answer: Promise<Value>;
  readonly drops: number;
  readonly start: number;
}

// What another instance changed is known here then.
const KEPT_MS = 5000;

/** So much of each, whether it is many small values or a few large ones: more than 50,000 accounts of a usual size. */
const MOST_BYTES = 32 * 2 ** 20;
/** Of a key, an entry and an object, in which everything else are texts. */
const ENTRY_BYTES = 400;

interface BriefCacheOptions<Value> {
  readonly now: () => number;
  /** The characters that a value holds. */
  readonly lengthOf: (value: Value) => number;
  readonly mostBytes?: number;
  /** 5 s by default. */
  readonly keptMs?: number | undefined;
}

export function createBriefCache<Value extends object>({
  now,
  lengthOf,
  mostBytes = MOST_BYTES,
  keptMs = KEPT_MS,
}: BriefCacheOptions<Value>): BriefCache<Value> {
  const perf = { now: createMonotonicClock(now) };
  const held = new LRUCache<string, Value>({
    maxSize: mostBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + key.length + lengthOf(value),
    ttl: keptMs,
    perf,
    ttlResolution: 0,
  });
  const asked = new Map<string, Asked<Value>>();
  let drops = 0;

  const fill: BriefCache<Value>['fill'] = async (read, keyOf) => {
    const [before, start] = [drops, perf.now()];
    const value = await read();
    if (before === drops) held.set(keyOf(value), value, { start });
    return value;
  };

  return {
    get: (key) => held.get(key),
    fill,
    ask: (question, read, keyOf) => {
      const open = asked.get(question);
      if (open && open.drops === drops && perf.now() - open.start < keptMs) return open.answer;
      const answer = fill(read, keyOf).finally(() => {
        if (asked.get(question)?.answer === answer) asked.delete(question);
      });
      asked.set(question, { answer, drops, start: perf.now() });
      return answer;
    },
    drop: (key) => {
      drops += 1;
      held.delete(key);
    },
    clear: () => {
      drops += 1;
      held.clear();
    },
  };
}

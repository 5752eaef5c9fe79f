import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.js';

/** Keeps what was read for 5 s at most, and less when it was changed in this process. */
export interface BriefCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps what `read` gives, unless something was dropped while it read: then it may be out of date. */
  fill(read: () => Promise<Value>, keyOf: (value: Value) => string): Promise<Value>;
  drop(key: string): void;
  clear(): void;
}

const KEPT_MS = 5000;

export function createBriefCache<Value extends object>({
  now,
}: {
  readonly now: () => number;
}): BriefCache<Value> {
  const held = new LRUCache<string, Value>({
    ...atMost(10_000),
    ttl: KEPT_MS,
    perf: { now },
    ttlResolution: 0,
  });
  let drops = 0;
  return {
    get: (key) => held.get(key),
    fill: async (read, keyOf) => {
      const before = drops;
      const value = await read();
      if (before === drops) held.set(keyOf(value), value);
      return value;
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

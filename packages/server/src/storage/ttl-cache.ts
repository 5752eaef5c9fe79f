import { LRUCache } from 'lru-cache';
import { createMonotonicClock } from '../concurrency/monotonic-clock.js';

// A change in another instance is visible here after this time.
const TTL_MS = 5000;

/** Size limit of each cache, for many small values or a few large ones: more than 50,000 accounts of a usual size. */
const MAX_BYTES = 32 * 2 ** 20;
/** Bytes of a key, an entry and an object, besides the characters of their texts. */
const ENTRY_BYTES = 400;

interface TtlCacheOptions<Value> {
  readonly now: () => number;
  /** Number of characters that a value holds. */
  readonly lengthOf: (value: Value) => number;
  readonly maxBytes?: number;
  /** Time to live, 5 s by default. */
  readonly ttlMs?: number | undefined;
}

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly drops: number;
  readonly start: number;
}

/** Caches rows for a short time, and drops those that this process changes. */
export function createTtlCache<Value extends object>({
  now,
  lengthOf,
  maxBytes = MAX_BYTES,
  ttlMs = TTL_MS,
}: TtlCacheOptions<Value>) {
  const perf = { now: createMonotonicClock(now) };
  const cached = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + key.length + lengthOf(value),
    ttl: ttlMs,
    perf,
    ttlResolution: 0,
  });
  const flights = new Map<string, Flight<Value>>();
  let drops = 0;

  /**
   * Caches the value that `read` returns, unless an entry was dropped meanwhile: then the value may be stale. Its age counts
   * from the start of the read.
   */
  async function fill(read: () => Promise<Value>, keyOf: (value: Value) => string): Promise<Value> {
    const [before, start] = [drops, perf.now()];
    const value = await read();
    if (before === drops) cached.set(keyOf(value), value, { start });
    return value;
  }

  /** Fills like `fill`; concurrent calls for the same flight share a read, unless an entry was dropped since, or it is too old. */
  function fillOnce(
    name: string,
    read: () => Promise<Value>,
    keyOf: (value: Value) => string,
  ): Promise<Value> {
    const open = flights.get(name);
    if (open && open.drops === drops && perf.now() - open.start < ttlMs) return open.value;
    const value = fill(read, keyOf).finally(() => {
      if (flights.get(name)?.value === value) flights.delete(name);
    });
    flights.set(name, { value, drops, start: perf.now() });
    return value;
  }

  return {
    get: (key: string): Value | undefined => cached.get(key),
    fill,
    fillOnce,
    drop: (key: string): void => {
      drops += 1;
      cached.delete(key);
    },
    clear: (): void => {
      drops += 1;
      cached.clear();
    },
  };
}

export type TtlCache<Value extends object> = ReturnType<typeof createTtlCache<Value>>;

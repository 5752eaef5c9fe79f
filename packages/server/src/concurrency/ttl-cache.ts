import { LRUCache } from 'lru-cache';
import { createMonotonicClock } from './monotonic-clock.js';

// Time to live of cached database rows, in milliseconds. A change by another instance becomes visible here after this
// time.
const TTL_MS = 5000;

/** Maximum bytes of each cache. 32 MiB is room for more than 50,000 accounts of a usual size. */
const MAX_BYTES = 32 * 2 ** 20;
/** Estimated bytes of a cache entry in addition to the characters of its key and texts. */
const ENTRY_BYTES = 400;

interface TtlCacheOptions<Value> {
  readonly now: () => number;
  /** Returns the number of characters in a value, from which the cache estimates its size. */
  readonly lengthOf: (value: Value) => number;
  readonly maxBytes?: number;
  /** Time to live of cached rows in milliseconds. Default: 5 s. */
  readonly ttlMs?: number | undefined;
}

interface Flight<Value> {
  readonly value: Promise<Value>;
  readonly drops: number;
  readonly start: number;
}

/** Creates a cache that keeps rows for a short time. Changes by this process drop the row from the cache at once. */
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
   * Reads a database row and caches it. Does not cache it if an entry was dropped during the read, because the row may
   * be stale. The time to live counts from the start of the read.
   */
  async function fill(read: () => Promise<Value>, keyOf: (value: Value) => string): Promise<Value> {
    const [before, start] = [drops, perf.now()];
    const value = await read();
    if (before === drops) cached.set(keyOf(value), value, { start });
    return value;
  }

  /**
   * Reads and caches a database row. Concurrent calls with the same name share one read, unless an entry was dropped
   * since the read began, or the read is older than the time to live.
   */
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

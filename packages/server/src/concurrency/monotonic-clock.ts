/**
 * Creates a clock that never runs backwards, for measuring durations. When the system clock is set back by an hour, the
 * returned clock continues from its last time. Otherwise a cache entry would expire an hour late.
 */
export function createMonotonicClock(now: () => number): () => number {
  let offset = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now() + offset;
    if (time >= last) {
      last = time;
      return time;
    }
    offset += last - time;
    return last;
  };
}

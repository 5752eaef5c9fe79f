/**
 * A clock for durations: it follows `now`, and stands still while that is set back. Otherwise an entry that is cached for seconds
 * would be cached for as long as the clock was wrong.
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

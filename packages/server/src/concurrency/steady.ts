/**
 * A clock for what is measured and not told: as the other, but it stands still where that is set back, so that nothing which
 * is kept for seconds is kept for as long as the clock was wrong.
 */
export function steady(now: () => number): () => number {
  let behind = 0;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now() + behind;
    if (time >= last) {
      last = time;
      return time;
    }
    behind += last - time;
    return last;
  };
}

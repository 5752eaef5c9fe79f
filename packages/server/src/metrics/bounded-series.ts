/** Label value of everything beyond the maximum number of keys. */
export const OTHER = 'other';

/**
 * Creates a lookup of time series by a label value, and the value of a second label that belongs to it. A lookup of a
 * known key allocates nothing. After `most` keys, all further keys share the series of `other`, so that the number of
 * series is bounded.
 */
export function createBoundedSeries<T>(most: number, create: (key: string, group: string) => T) {
  const known = new Map<string, T>();
  let other: T | undefined;

  function add(key: string, group: string): T {
    if (known.size >= most) {
      other ??= create(OTHER, OTHER);
      return other;
    }
    const created = create(key, group);
    known.set(key, created);
    return created;
  }

  return (key: string, group = key): T => known.get(key) ?? add(key, group);
}

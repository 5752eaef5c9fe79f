/** Label value for all further values of a label that already has the maximum number of values. */
export const OTHER = 'other';

/**
 * Creates a lookup of time series by the value `key` of their label. `group` is the value of a second label, such as
 * the connector of a tool. After `most` keys, all further keys share one series with the label `other`, so that the
 * number of series is bounded.
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

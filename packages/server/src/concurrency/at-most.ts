const one = () => 1;

/**
 * Bounds an `LRUCache` to so many entries. Its own `max` would take the memory of all of them when the cache is made:
 * 10 MB and 30 ms for those of a service that has served nobody yet.
 */
export const atMost = (count: number) => ({ maxSize: count, sizeCalculation: one });

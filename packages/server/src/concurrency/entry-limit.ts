const countOne = () => 1;

/**
 * Options that limit an `LRUCache` to so many entries. The cache's own `max` allocates the memory of all entries at once:
 * 10 MB and 30 ms at the start of a service that has served nobody yet.
 */
export const entryLimit = (count: number) => ({ maxSize: count, sizeCalculation: countOne });

const countOne = () => 1;

/**
 * Options that limit an `LRUCache` to `count` entries. The cache's own option `max` would allocate the memory of all
 * entries at once: 10 MB and 30 ms at each start of the service.
 */
export const entryLimit = (count: number) => ({ maxSize: count, sizeCalculation: countOne });

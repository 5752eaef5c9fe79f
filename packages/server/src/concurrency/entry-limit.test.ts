import { LRUCache } from 'lru-cache';
import { expect, test } from 'vitest';
import { entryLimit } from './entry-limit.js';

test('a cache keeps the most recently used entries up to its limit', () => {
  const cache = new LRUCache<string, number>(entryLimit(3));
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()]).toEqual(['d', 'a', 'c']);
});

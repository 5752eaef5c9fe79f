import { LRUCache } from 'lru-cache';
import { entryLimit } from '../../concurrency/entry-limit.js';

interface Redirect {
  readonly redirectTo: string;
}

// Time in milliseconds for which the response to a click is cached. A second click in this time gets the same response.
// 5 s covers double clicks, and users who click again because nothing seems to happen.
const CACHE_MS = 5000;
const MAX_CACHED = 1000;

/**
 * Deduplicates clicks on a button for 5 s, because the pages have no script that could disable the button. A browser
 * shows the response to the last click. Without deduplication, that response would say that the one-time link was
 * already used.
 */
export function createPressOnce(now: () => number = () => performance.now()) {
  const cached = new LRUCache<string, Promise<Redirect>>({
    ...entryLimit(MAX_CACHED),
    ttl: CACHE_MS,
    perf: { now },
    ttlResolution: 0,
  });
  return function pressOnce(key: readonly string[], press: () => Promise<Redirect>): Promise<Redirect> {
    const joined = key.join(' ');
    const earlier = cached.get(joined);
    if (earlier) return earlier;
    const redirect = press();
    cached.set(joined, redirect);
    redirect.catch(() => cached.delete(joined));
    return redirect;
  };
}

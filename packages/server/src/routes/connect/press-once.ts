import { LRUCache } from 'lru-cache';
import { entryLimit } from '../../concurrency/entry-limit.js';

/** What a press of a button leads to. */
interface Led {
  readonly redirectTo: string;
}

/** What `press` leads to, and what it led to a moment ago for the same browser, page and button. */
export type PressOnce = (pressed: readonly string[], press: () => Promise<Led>) => Promise<Led>;

// A double click, or a second one by who thinks that the first did nothing.
const KEPT_MS = 5000;
const MOST = 1000;

/**
 * The pages have no script that could switch a button off. Of two presses a browser shows the answer to the last, and what works
 * once would be told as used up to somebody who used it only now.
 */
export function createPressOnce(now: () => number = () => performance.now()): PressOnce {
  const held = new LRUCache<string, Promise<Led>>({
    ...entryLimit(MOST),
    ttl: KEPT_MS,
    perf: { now },
    ttlResolution: 0,
  });
  return (pressed, press) => {
    const key = pressed.join(' ');
    const before = held.get(key);
    if (before) return before;
    const led = press();
    held.set(key, led);
    led.catch(() => held.delete(key));
    return led;
  };
}

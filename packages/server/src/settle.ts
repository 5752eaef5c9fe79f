import { findCollector } from './collector.js';
import { holdYoung } from './hold-young.js';

// By then a start has loaded what it needs, and what was compiled of it is written down.
const AFTER_MS = 4000;
// A process under full load fills what is young some ten times in that.
const LOOK_MS = 1000;

/**
 * Gives back what starting took. V8 makes its heap smaller some seconds after a collection of all of it, when there is little
 * to do; a process that waits for its first request would never have one.
 */
export function settle(): void {
  setTimeout(() => {
    findCollector()({ type: 'major' });
    holdYoung();
    setInterval(holdYoung, LOOK_MS).unref();
  }, AFTER_MS).unref();
}

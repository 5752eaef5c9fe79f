import { setFlagsFromString } from 'node:v8';
import { findCollector } from './collector.js';

// By then a start has loaded what it needs, and what was compiled of it is written down.
const AFTER_MS = 4000;

/**
 * Gives back what starting took. V8 makes its heap smaller some seconds after a collection of all of it, when there is little
 * to do; a process that waits for its first request would never have one.
 */
export function settle(): void {
  setTimeout(() => {
    setFlagsFromString('--semi-space-growth-factor=2');
    findCollector()({ type: 'major' });
  }, AFTER_MS).unref();
}

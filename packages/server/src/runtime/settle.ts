import { performance } from 'node:perf_hooks';
import { findCollector } from './collector.js';
import { holdYoung } from './hold-young.js';
import { writeCompiled } from './keep-compiled.js';

// A process under full load fills what is young some five times in that.
const LOOK_MS = 500;
/** So much of that may be worked in. */
const QUIET = 0.1;

/**
 * Prepares for the first call, and gives back what starting took, as soon as half a second was quiet: V8 does so some time after it
 * collected all there is, and a process that waits for its first request never would. What was compiled is written down before,
 * since that goes with it.
 */
export function settle(prepare: () => void): void {
  let before = performance.eventLoopUtilization();
  let isSettled = false;
  setInterval(() => {
    holdYoung();
    if (isSettled) return;
    const now = performance.eventLoopUtilization();
    isSettled = performance.eventLoopUtilization(now, before).utilization < QUIET;
    before = now;
    if (!isSettled) return;
    prepare();
    writeCompiled();
    findCollector()({ type: 'major', flavor: 'last-resort' });
  }, LOOK_MS).unref();
}

import { type Collect, findCollector } from './collector.js';

/** Told of each piece of a body that passes. */
export type Passed = (piece: Buffer) => void;

const AT_ONCE = 16 * 1024 * 1024;

/**
 * Frees the buffers of what has passed, after every 16 MiB. To V8 a piece of 64 KiB is the small object that names it: while
 * bodies stream its quick collections do not come, and at 64 MiB it walks through all that the process holds instead. That
 * took half of the CPU time of an upload, and the event loop for tens of milliseconds.
 */
export function createFreeBuffers(find: () => Collect = findCollector): Passed {
  let collect: Collect | undefined;
  let bytes = 0;
  return ({ length }) => {
    bytes += length;
    if (bytes < AT_ONCE) return;
    bytes = 0;
    collect ??= find();
    collect({ type: 'minor' });
  };
}

import type { CallOptions } from '@svc/core';

/** Waits for a number of milliseconds. Rejects with the signal's reason when the signal aborts. */
export function wait(ms: number, signal: CallOptions['signal']): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

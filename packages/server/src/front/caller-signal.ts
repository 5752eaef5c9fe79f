import type { Cancellation } from '../upstream/forward.js';

export interface CallerSignal extends Cancellation {
  aborted: boolean;
  /** Tells all that listen, once. */
  abort(): void;
}

/** What an AbortSignal does, as far as a call needs it, without an event for each. */
export function createCallerSignal(): CallerSignal {
  let listeners: readonly (() => void)[] = [];
  const signal: CallerSignal = {
    aborted: false,
    addEventListener: (_type, listener) => {
      listeners = [...listeners, listener];
    },
    removeEventListener: (_type, listener) => {
      listeners = listeners.filter((other) => other !== listener);
    },
    abort: () => {
      signal.aborted = true;
      const told = listeners;
      listeners = [];
      for (const listener of told) listener();
    },
  };
  return signal;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOut } from './fan-out.js';

/** Interval in milliseconds at which an instance looks for events of other instances that were killed. */
const LOOK_MS = 1000;
/** Duration in milliseconds from which a run of the loop is followed by a pause. */
const LONG_RUN_MS = 20;
/** Length of the pause as a part of the run. */
const PAUSE_PART = 0.25;

export interface EventLoopParts {
  readonly fanOut: FanOut;
  /** Starts the deliveries that are due. */
  readonly deliver: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Starts the loop that creates and sends deliveries: at once after `wake`, and every second. The loop runs outside of
 * requests, so that its queries see the rows of all applications (refuse-foreign-rows.ts).
 */
export function startEventLoop({ fanOut, deliver, onError }: EventLoopParts) {
  const stop = new AbortController();
  const { signal } = stop;
  let isAwake = false;
  let isFailing = false;
  let resume: (() => void) | undefined;

  function wake(): void {
    isAwake = true;
    resume?.();
  }

  async function rest(): Promise<void> {
    if (!isAwake && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      const timer = setTimeout(resolve, LOOK_MS).unref();
      await promise;
      clearTimeout(timer);
      resume = undefined;
    }
    isAwake = false;
  }

  /** Reports only the first of several failures, because the loop runs every second. */
  async function runOnce(): Promise<void> {
    try {
      await fanOut();
      await deliver();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now();
      await runOnce();
      const elapsed = performance.now() - startedAt;
      // The pause leaves the database a part of the time for other work.
      if (elapsed > LONG_RUN_MS) {
        const pause = sleep(Math.min(elapsed * PAUSE_PART, LOOK_MS), undefined, { ref: false, signal });
        // `close` aborts the pause.
        await pause.catch(() => undefined);
      }
      await rest();
    }
  }

  const running = run();
  return {
    wake,
    close: async (): Promise<void> => {
      stop.abort();
      resume?.();
      await running;
    },
  };
}

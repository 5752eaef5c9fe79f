import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Interval in milliseconds at which the loop looks for due work without being woken, for example for the work of a
 * killed instance.
 */
const LOOK_MS = 1000;
/** Milliseconds of continuous work after which this background job pauses, so that requests are answered. */
const LONG_RUN_MS = 20;
/** Length of the loop's pause, as a fraction of the time that the last run took. */
const PAUSE_PART = 0.25;

export interface LoopParts {
  /** Runs before each `work`, for example to create the rows of the work. */
  readonly prepare: () => Promise<void>;
  /** Starts the work whose time has come. */
  readonly work: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Starts a loop for background work, such as deliveries of events and polls of watches. It runs after each call of
 * `wake`, and every second. It runs outside of requests, because queries in a request may only return rows of its
 * application (refuse-foreign-rows.ts).
 */
export function startLoop({ prepare, work, onError }: LoopParts) {
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

  /** Returns true if `step` succeeded. Reports only the first of consecutive failures. */
  async function succeeds(step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
      return false;
    }
  }

  /** Runs the loop once. Work whose time has come starts even if `prepare` fails. */
  async function runOnce(): Promise<void> {
    const isPrepared = await succeeds(prepare);
    const isDone = await succeeds(work);
    if (isPrepared && isDone) isFailing = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now();
      await runOnce();
      const elapsed = performance.now() - startedAt;
      // After a long run, the pause gives other work time to use the database.
      if (elapsed > LONG_RUN_MS) {
        const pause = sleep(Math.min(elapsed * PAUSE_PART, LOOK_MS), undefined, { ref: false, signal });
        // The sleep rejects if `close` aborts it.
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

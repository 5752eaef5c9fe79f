import type { FanOut } from './fan-out.js';

/** Interval in milliseconds at which an instance looks for events of other instances that were killed. */
const LOOK_MS = 1000;

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
  let isStopped = false;
  let isAwake = false;
  let resume: (() => void) | undefined;

  function wake(): void {
    isAwake = true;
    resume?.();
  }

  async function rest(): Promise<void> {
    if (!isAwake && !isStopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      const timer = setTimeout(resolve, LOOK_MS).unref();
      await promise;
      clearTimeout(timer);
      resume = undefined;
    }
    isAwake = false;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      try {
        await fanOut();
        await deliver();
      } catch (error) {
        onError(error);
      }
      await rest();
    }
  }

  const running = run();
  return {
    wake,
    close: async (): Promise<void> => {
      isStopped = true;
      resume?.();
      await running;
    },
  };
}

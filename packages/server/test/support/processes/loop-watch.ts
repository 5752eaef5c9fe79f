import { setImmediate as nextTick } from 'node:timers/promises';

/** Longest time that a request may block the event loop, in ms of CPU time of the main thread. */
export const MOST_BLOCKED_MS = 50;
const MOST_SUSPECTS = 200;
const TRIES = 3;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns the longest CPU time in ms between two ticks of the event loop while `work` runs. */
async function longestTick(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  let before = cpuMs();
  const measure = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    measure();
    await nextTick();
  }
  measure();
  await working;
  return longest;
}

/**
 * Finds requests that block the event loop. While requests run concurrently, it notes which were active when the loop
 * blocked. `holding` repeats each noted request alone, and returns those that block the loop every time.
 */
export function createLoopWatch<Request>(send: (request: Request) => Promise<unknown>) {
  const underWay = new Set<Request>();
  const suspects = new Set<Request>();
  let before = cpuMs();

  function mark(): void {
    const now = cpuMs();
    if (now - before > MOST_BLOCKED_MS) for (const request of underWay) suspects.add(request);
    before = now;
  }

  return {
    started: (request: Request): void => {
      mark();
      underWay.add(request);
    },
    ended: (request: Request): void => {
      mark();
      underWay.delete(request);
    },
    /**
     * Repeats the noted requests alone. Returns those that block the event loop every time, with the CPU time of each
     * in ms.
     */
    holding: async (): Promise<readonly { readonly request: Request; readonly ms: number }[]> => {
      const blocking = [];
      for (const request of [...suspects].slice(-MOST_SUSPECTS)) {
        let ms = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < TRIES && ms > MOST_BLOCKED_MS; tries += 1) {
          ms = Math.min(ms, await longestTick(() => send(request)));
        }
        if (ms > MOST_BLOCKED_MS) blocking.push({ request, ms });
      }
      return blocking;
    },
  };
}

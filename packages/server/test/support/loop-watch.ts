import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longer nobody may hold the loop, in ms of the main thread's CPU. */
export const MOST_HELD_MS = 50;
const MOST_SUSPECTS = 200;
const TRIES = 3;

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time of CPU between two turns of the loop while the work is done. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
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
    await nextTurn();
  }
  measure();
  await working;
  return longest;
}

/**
 * Watches many requests at once, and costs next to nothing: while they run it only notes which were under way when the
 * loop seemed held. What holds it again when it is sent alone, and each time, is told.
 */
export function createLoopWatch<Request>(send: (request: Request) => Promise<unknown>) {
  const underWay = new Set<Request>();
  const suspects = new Set<Request>();
  let before = cpuMs();

  function mark(): void {
    const now = cpuMs();
    if (now - before > MOST_HELD_MS) for (const request of underWay) suspects.add(request);
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
    /** The requests that hold the loop, and for how long. */
    holding: async (): Promise<readonly { readonly request: Request; readonly ms: number }[]> => {
      const found = [];
      for (const request of [...suspects].slice(-MOST_SUSPECTS)) {
        let ms = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < TRIES && ms > MOST_HELD_MS; tries += 1) {
          ms = Math.min(ms, await longestTurn(() => send(request)));
        }
        if (ms > MOST_HELD_MS) found.push({ request, ms });
      }
      return found;
    },
  };
}

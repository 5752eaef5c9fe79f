import { createFairQueue } from './fair-queue.js';

/**
 * Semaphore that is fair to owners, such as applications. The last fifth of the permits is for owners that have none,
 * and waiting owners take turns. Resolves to `undefined` if the work got no permit in `waitMs`.
 */
export type FairSemaphore = <T>(
  owner: string,
  work: () => Promise<T>,
  waitMs: number,
) => Promise<T | undefined>;

const RESERVED_PART = 0.2;

export function createFairSemaphore(permits: number): FairSemaphore {
  const running = new Map<string, number>();
  let total = 0;
  const shared = permits - Math.ceil(permits * RESERVED_PART);
  const runningOf = (owner: string) => running.get(owner) ?? 0;
  const hasRoom = (owner: string) => total < (running.has(owner) ? shared : permits);
  const waiting = createFairQueue<() => void>(hasRoom);

  function take(owner: string): void {
    total += 1;
    running.set(owner, runningOf(owner) + 1);
  }

  function release(owner: string): void {
    total -= 1;
    if (runningOf(owner) > 1) running.set(owner, runningOf(owner) - 1);
    else running.delete(owner);
    for (let begin = waiting.take(); begin; begin = waiting.take()) begin();
  }

  function acquire(owner: string, waitMs: number): Promise<boolean> {
    if (hasRoom(owner)) {
      take(owner);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = waiting.add([owner], () => {
        clearTimeout(timer);
        take(owner);
        resolve(true);
      });
      const timer = setTimeout(() => {
        leave();
        resolve(false);
      }, waitMs);
    });
  }

  async function runWithPermit<T>(owner: string, work: () => Promise<T>, waitMs: number) {
    if (!(await acquire(owner, waitMs))) return undefined;
    try {
      return await work();
    } finally {
      release(owner);
    }
  }
  return runWithPermit;
}

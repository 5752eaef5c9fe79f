import { createFairQueue } from './fair-queue.js';

/**
 * Lets so many pieces of work run at a time. The last fifth are for owners that have none, and owners that wait have turns.
 * Gives `undefined` to work that waited too long to begin.
 */
export type FairSlots = <T>(owner: string, work: () => Promise<T>, waitMs: number) => Promise<T | undefined>;

const FOR_OTHERS = 0.2;

export function createFairSlots(count: number): FairSlots {
  const running = new Map<string, number>();
  let all = 0;
  const of = (owner: string) => running.get(owner) ?? 0;
  const shared = count - Math.ceil(count * FOR_OTHERS);
  const hasRoom = (owner: string) => all < (running.has(owner) ? shared : count);
  const waiting = createFairQueue<() => void>(hasRoom);

  function take(owner: string): void {
    all += 1;
    running.set(owner, of(owner) + 1);
  }

  function release(owner: string): void {
    all -= 1;
    if (of(owner) > 1) running.set(owner, of(owner) - 1);
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

  return async (owner, work, waitMs) => {
    if (!(await acquire(owner, waitMs))) return undefined;
    try {
      return await work();
    } finally {
      release(owner);
    }
  };
}

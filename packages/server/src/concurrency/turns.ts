import { createSlots, type Slots } from './slots.js';

/** Lets so many pieces of work at a time have a name in this process; `undefined` for work that waited too long to begin. */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>;

export interface TurnsOptions {
  readonly atOnce: number;
  readonly waitMs: number;
}

export function createTurns({ atOnce, waitMs }: TurnsOptions): Turns {
  const queues = new Map<string, { readonly slots: Slots; users: number }>();
  return async (name, work) => {
    const queue = queues.get(name) ?? { slots: createSlots(atOnce), users: 0 };
    queues.set(name, queue);
    queue.users += 1;
    try {
      return await queue.slots(work, waitMs);
    } finally {
      queue.users -= 1;
      if (queue.users === 0) queues.delete(name);
    }
  };
}

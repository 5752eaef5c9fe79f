/** Lets so many pieces of work run at a time, first come, first served; gives `undefined` to work that waited too long to begin. */
export type Slots = <T>(work: () => Promise<T>, waitMs: number) => Promise<T | undefined>;

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  function acquire(waitMs: number): Promise<boolean> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const begin = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        resolve(false);
      }, waitMs);
      waiting.push(begin);
    });
  }

  return async (work, waitMs) => {
    if (!(await acquire(waitMs))) return undefined;
    try {
      return await work();
    } finally {
      release();
    }
  };
}

/** Lets one piece of work at a time have a name, over every process that shares the database: first come, first served. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** A lock for the one process that owns the database file. */
export function createLock(): Lock {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}

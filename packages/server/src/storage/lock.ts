/** Lets one piece of work at a time have a name, over every process that shares the database: first come, first served. */
export interface Lock {
  /** `owner` is the application whose work it is; absent for the service's own. No owner keeps the others waiting. */
  <T>(name: string, work: () => Promise<T>, owner?: string): Promise<T>;
  /**
   * How long somebody who has lost a name without knowing it, because a connection broke, may still be at work under it.
   * 0 where a name is lost only with the process.
   */
  readonly graceMs: number;
}

/** A lock for the one process that owns the database file. */
export function createLock(): Lock {
  const last = new Map<string, Promise<unknown>>();
  const lock = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
  return Object.assign(lock, { graceMs: 0 });
}

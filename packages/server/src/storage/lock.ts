/** Mutex by name over all processes that share the database: first come, first served. */
export interface Lock {
  /** `owner` is the application that owns the work; absent for work of the service. Owners do not delay each other. */
  <T>(name: string, work: () => Promise<T>, owner?: string): Promise<T>;
  /**
   * Milliseconds for which a process may go on with its work after it lost the lock unnoticed, because its connection to the
   * database broke. 0 when only the end of the process releases a lock.
   */
  readonly graceMs: number;
}

/** Creates a lock for the one process that owns the database file. */
export function createLock(): Lock {
  const last = new Map<string, Promise<unknown>>();
  async function lock<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(name);
    const own = before === undefined ? work() : before.then(work, work);
    last.set(name, own);
    try {
      return await own;
    } finally {
      if (last.get(name) === own) last.delete(name);
    }
  }
  return Object.assign(lock, { graceMs: 0 });
}

/**
 * Named mutex across all processes that share the database. Waiters get the lock in the order of their calls.
 * Implemented by `createLock` below for SQLite, and by row-lock.ts for PostgreSQL.
 */
export interface Lock {
  /**
   * Runs `work` while holding the lock. `owner` is the application that owns the work; absent for the service itself.
   * Owners do not delay each other.
   */
  <T>(name: string, work: () => Promise<T>, owner?: string): Promise<T>;
  /**
   * Milliseconds for which work may continue after its process lost the lock without noticing, for example by a broken
   * connection. 0 if only the end of the process releases a lock.
   */
  readonly graceMs: number;
}

/** Creates a lock for SQLite, whose database file belongs to a single process. */
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

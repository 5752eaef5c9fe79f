/**
 * Named mutex that works across all processes that use the database. Waiting callers get the lock in the order of their
 * calls. For SQLite, `createLock` below implements it; for PostgreSQL, row-lock.ts.
 */
export interface Lock {
  /**
   * Runs `work` while holding the lock. `owner`: id of the application for which the work is done; absent for the
   * service itself. Work of one owner does not delay that of another.
   */
  <T>(name: string, work: () => Promise<T>, owner?: string): Promise<T>;
  /**
   * Time in milliseconds for which work may continue after its process lost the lock unnoticed, for example because a
   * connection broke. 0 if a lock ends only when its process ends.
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

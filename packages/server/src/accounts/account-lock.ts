/** Lets one piece of work at a time touch an account's tokens. Where several processes share a database, its row lock. */
export type AccountLock = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** A lock for the one process that owns the database file: first come, first served. */
export function createAccountLock(): AccountLock {
  const last = new Map<string, Promise<unknown>>();
  return async (accountId, work) => {
    const before = last.get(accountId);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(accountId, mine);
    try {
      return await mine;
    } finally {
      if (last.get(accountId) === mine) last.delete(accountId);
    }
  };
}

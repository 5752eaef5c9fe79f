/**
 * Runs the work when a permit is free, first come, first served. Resolves to `undefined` if the work got no permit in
 * `waitMs` milliseconds.
 */
export type Semaphore = <T>(work: () => Promise<T>, waitMs: number) => Promise<T | undefined>;

/** Creates a semaphore that limits concurrent work in this process. */
export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

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

  async function runWithPermit<T>(work: () => Promise<T>, waitMs: number): Promise<T | undefined> {
    if (!(await acquire(waitMs))) return undefined;
    try {
      return await work();
    } finally {
      release();
    }
  }
  return runWithPermit;
}

export interface KeyedSemaphoreOptions {
  /** Maximum number of concurrent tasks for each key. */
  readonly permits: number;
  readonly waitMs: number;
}

/**
 * Creates a function that runs work with a permit of its key's semaphore, in this process. The function resolves to
 * `undefined` if the work got no permit in `waitMs` milliseconds.
 */
export function createKeyedSemaphore({ permits, waitMs }: KeyedSemaphoreOptions) {
  const entries = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  async function runWithPermit<T>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const entry = entries.get(key) ?? { semaphore: createSemaphore(permits), users: 0 };
    entries.set(key, entry);
    entry.users += 1;
    try {
      return await entry.semaphore(work, waitMs);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) entries.delete(key);
    }
  }
  return runWithPermit;
}

import { setTimeout as wait } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { createSemaphore } from '../concurrency/semaphore.js';
import { isBusy, translateErrors } from './sqlite-error.js';
import type { Outcome } from './sqlite-file.js';
import type { SqliteRunner } from './sqlite-thread.js';

export interface SqliteDriverOptions {
  /** Maximum time in milliseconds to wait while another process locks the database file. */
  readonly waitMs?: number;
  /**
   * Number of statements and transactions that use the SQLite file, and number of those that wait for it. The driver
   * updates both.
   */
  readonly queue?: Queue;
}

export interface Queue {
  size: number;
}

const WAIT_MS = 5000;
const POLL_MS = 10;

/**
 * Creates a mutex that serves callers in the order of their calls, and counts them in `queue`. `acquire` resolves to
 * the function that releases the mutex.
 */
function createMutex(queue: Queue) {
  let last = Promise.resolve();
  return async function acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    queue.size += 1;
    await before;
    return () => {
      queue.size -= 1;
      resolve();
    };
  };
}

/**
 * Creates a function that retries a statement while another process locks the database file. Only one statement at a
 * time retries. It waits without holding the mutex, so that statements that only read can continue.
 */
function createRetry(waitMs: number) {
  const withPermit = createSemaphore(1);
  return async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + waitMs;
    async function poll(): Promise<T> {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!isBusy(error) || performance.now() >= deadline) throw error;
        }
        await wait(POLL_MS);
      }
    }
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const done = await withPermit(async () => ({ outcome: await poll() }), waitMs);
      if (done) return done.outcome;
      throw error;
    }
  };
}

/**
 * Creates a Kysely driver that shares one SQLite file among any number of connections. Each statement runs under a
 * mutex, and a transaction holds the mutex until it ends. A transaction takes the write lock when it begins, so that no
 * later statement in it fails because the file is locked. Its first statement is sent to the file's thread in one
 * message with `begin`, because each message costs more than a small statement.
 */
export function createSqliteDriver(
  file: SqliteRunner,
  { waitMs = WAIT_MS, queue = { size: 0 } }: SqliteDriverOptions = {},
): Driver {
  const acquire = createMutex(queue);
  const retryWhileBusy = createRetry(waitMs);
  const releases = new WeakMap<DatabaseConnection, () => void>();
  /** Connections whose transaction has not run any statement yet. */
  const unbegun = new WeakSet<DatabaseConnection>();

  const run = (sql: string, parameters: readonly unknown[] = [], inTransaction = false) =>
    file.run({ sql, parameters, inTransaction });

  async function runAlone<T>(work: () => Promise<T>): Promise<T> {
    const release = await acquire();
    return work().finally(release);
  }

  function end(connection: DatabaseConnection): void {
    releases.get(connection)?.();
    releases.delete(connection);
    unbegun.delete(connection);
  }

  /**
   * Begins a transaction together with its first statement. If another process locks the file, the transaction has not
   * begun, and the caller can retry.
   */
  async function runFirst(
    connection: DatabaseConnection,
    { sql, parameters }: CompiledQuery,
  ): Promise<Outcome> {
    const release = await acquire();
    releases.set(connection, release);
    unbegun.delete(connection);
    try {
      return await file.run({ sql, parameters, inTransaction: true, begins: true });
    } catch (error) {
      if (isBusy(error)) {
        end(connection);
        unbegun.add(connection);
      }
      throw error;
    }
  }

  function runQuery(connection: DatabaseConnection, query: CompiledQuery): Promise<Outcome> {
    const { sql, parameters } = query;
    if (unbegun.has(connection)) return retryWhileBusy(() => runFirst(connection, query));
    if (releases.has(connection)) return run(sql, parameters, true);
    return retryWhileBusy(() => runAlone(() => run(sql, parameters)));
  }

  async function execute<Row>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    const { rows, changes } = await translateErrors(runQuery(connection, query));
    // The cast is safe, because Kysely expects rows of the type `Row`, which the type of the query determines.
    const result = { rows: rows as Row[] };
    return changes === undefined ? result : { ...result, numAffectedRows: BigInt(changes) };
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: (query) => execute(connection, query),
        streamQuery: () => {
          throw new Error('The service does not stream rows. Read them in pages.');
        },
      };
      return connection;
    },
    beginTransaction: async (connection) => void unbegun.add(connection),
    commitTransaction: async (connection) => {
      if (!unbegun.has(connection)) await translateErrors(run('commit', [], true));
      end(connection);
    },
    rollbackTransaction: async (connection) => {
      try {
        if (!unbegun.has(connection)) await translateErrors(run('rollback', [], true));
      } finally {
        end(connection);
      }
    },
    releaseConnection: async () => undefined,
    // Does nothing, because the function that opened the SQLite file also closes it.
    destroy: async () => undefined,
  };
}

import { setTimeout as wait } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { createSemaphore } from '../concurrency/semaphore.js';
import { isBusy, translated } from './sqlite-error.js';
import type { SqliteRunner } from './sqlite-thread.js';

export interface SqliteDriverOptions {
  /** How long to wait for another process that holds the file. */
  readonly waitMs?: number;
}

const WAIT_MS = 5000;
const POLL_MS = 10;

/** First come, first served: gives a turn, which lasts until it is given back. */
function createTurns(): () => Promise<() => void> {
  let last = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return resolve;
  };
}

/**
 * Tries again while another process holds the file. Of those who wait one tries at a time, and none of them has its turn
 * meanwhile: what only reads is not held up.
 */
function createPatience(waitMs: number) {
  const slots = createSemaphore(1);
  return async function patiently<T>(work: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + waitMs;
    const tryAgain = async (): Promise<T> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!isBusy(error) || performance.now() >= deadline) throw error;
        }
        await wait(POLL_MS);
      }
    };
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const done = await slots(async () => ({ outcome: await tryAgain() }), waitMs);
      if (done) return done.outcome;
      throw error;
    }
  };
}

/**
 * One file, for as many connections as ask: each statement has its turn, and a transaction has one from its beginning to its
 * end. It begins with the lock of who writes, so that nothing in it can find the file locked.
 */
export function createSqliteDriver(
  file: SqliteRunner,
  { waitMs = WAIT_MS }: SqliteDriverOptions = {},
): Driver {
  const take = createTurns();
  const patiently = createPatience(waitMs);
  const turns = new WeakMap<DatabaseConnection, () => void>();

  const run = (sql: string, parameters: readonly unknown[] = [], inTransaction = false) =>
    file.run({ sql, parameters, inTransaction });

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const leave = await take();
    return work().finally(leave);
  }

  async function begin(connection: DatabaseConnection): Promise<void> {
    const leave = await take();
    try {
      await run('begin immediate');
      turns.set(connection, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  function end(connection: DatabaseConnection): void {
    turns.get(connection)?.();
    turns.delete(connection);
  }

  async function execute<Row>(
    connection: DatabaseConnection,
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    const { sql, parameters } = query;
    const { rows, changes } = turns.has(connection)
      ? await translated(run(sql, parameters, true))
      : await translated(patiently(() => alone(() => run(sql, parameters))));
    // The rows are what the query is typed to give.
    const result = { rows: rows as Row[] };
    return changes === undefined ? result : { ...result, numAffectedRows: BigInt(changes) };
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => {
      const connection: DatabaseConnection = {
        executeQuery: (query) => execute(connection, query),
        streamQuery: () => {
          throw new Error('Rows are read in pages, and never streamed.');
        },
      };
      return connection;
    },
    beginTransaction: (connection) => translated(patiently(() => begin(connection))),
    commitTransaction: async (connection) => {
      await translated(run('commit', [], true));
      end(connection);
    },
    rollbackTransaction: (connection) =>
      translated(run('rollback', [], true))
        .then(() => undefined)
        .finally(() => end(connection)),
    releaseConnection: async () => undefined,
    // The file is closed by who opened it.
    destroy: async () => undefined,
  };
}

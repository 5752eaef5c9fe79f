import Sqlite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';
import { ServiceError } from '../errors.js';
import { goneMeanwhile } from './gone-meanwhile.js';

const FOREIGN_KEY_VIOLATION = 'SQLITE_CONSTRAINT_FOREIGNKEY';

/** Codes that say nothing of the query: the disk is full, fails or takes no writes, or another process holds the file. */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|NOMEM)/;

function toServiceError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (error.code === FOREIGN_KEY_VIOLATION) return goneMeanwhile(error);
  if (!OUTAGE.test(error.code)) return error;
  return new ServiceError(
    'unavailable',
    'The database cannot be read or written. Try again shortly.',
    { retryAfter: 1 },
    { cause: error },
  );
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toServiceError(error);
  }
}

const NO_CHANGE = { changes: 0, lastInsertRowid: 0 };

/** The same file, with its faults told apart from faults of ours. */
export const translating = (file: Sqlite.Database): SqliteDatabase => ({
  close: () => file.close(),
  prepare: (sql) => {
    const statement = translated(() => file.prepare<unknown[]>(sql));
    return {
      reader: statement.reader,
      all: (parameters) => translated(() => statement.all(...parameters)),
      // SQLite itself rolls back when the disk is full; another rollback would fail and hide why.
      run: (parameters) =>
        sql === 'rollback' && !file.inTransaction
          ? NO_CHANGE
          : translated(() => statement.run(...parameters)),
      iterate: (parameters) => translated(() => statement.iterate(...parameters)),
    };
  },
});

import Sqlite from 'better-sqlite3';
import { ServiceError } from '../errors.js';
import { deletedMeanwhile } from './deleted-meanwhile.js';
import { DISK_IS_FULL } from './disk-is-full.js';

const FOREIGN_KEY_VIOLATION = 'SQLITE_CONSTRAINT_FOREIGNKEY';

const FULL = 'SQLITE_FULL';

const UNUSABLE =
  'The database cannot be read or written. Retry in a few seconds. If the error persists, the operator of the service must check the database file and its disk.';

/**
 * Error codes that the query did not cause: a full, broken or read-only disk, or a file locked by another process.
 */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|NOMEM|ABORT)/;

/** Returns whether another process has locked the database file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

function fromSqliteError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (error.code === FOREIGN_KEY_VIOLATION) return deletedMeanwhile(error);
  if (!OUTAGE.test(error.code)) return error;
  return new ServiceError(
    'unavailable',
    error.code === FULL ? DISK_IS_FULL : UNUSABLE,
    { retryAfter: 1, reason: 'storage' },
    { cause: error },
  );
}

/**
 * Converts a database outage to a ServiceError. Rejects with the original error when the service itself caused it.
 */
export const translateErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromSqliteError(error);
  });

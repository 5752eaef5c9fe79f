import Sqlite from 'better-sqlite3';
import { ServiceError } from '../errors.js';
import { deletedMeanwhile } from './deleted-meanwhile.js';
import { DISK_IS_FULL } from './disk-is-full.js';

const FOREIGN_KEY_VIOLATION = 'SQLITE_CONSTRAINT_FOREIGNKEY';

const FULL = 'SQLITE_FULL';

const UNUSABLE =
  'The database cannot be read or written. Retry in a few seconds. If the error persists, the operator of the service must check the database file and its disk.';

/**
 * Matches error codes that the query did not cause: a full, broken or read-only disk, or a file that another process
 * locks.
 */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|NOMEM|ABORT)/;

/** Returns true if the error means that another process locks the database file. */
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
 * Rejects with a ServiceError if a database outage made the work fail. Rejects with the original error if the service
 * itself caused the failure.
 */
export const translateErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromSqliteError(error);
  });

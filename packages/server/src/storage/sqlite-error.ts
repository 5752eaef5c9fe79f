import Sqlite from 'better-sqlite3';
import { ServiceError } from '../errors.js';
import { goneMeanwhile } from './gone-meanwhile.js';

const FOREIGN_KEY_VIOLATION = 'SQLITE_CONSTRAINT_FOREIGNKEY';

/** Codes that say nothing of the query: the disk is full, fails or takes no writes, or another process holds the file. */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN|NOMEM|ABORT)/;

/** Whether another process holds the file. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

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

/** Tells faults of the database apart from faults of ours. */
export const translated = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toServiceError(error);
  });

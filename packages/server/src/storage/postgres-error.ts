import { DatabaseError } from 'pg';
import { ServiceError } from '../errors.js';
import { deletedMeanwhile } from './deleted-meanwhile.js';
import { DISK_IS_FULL } from './disk-is-full.js';

const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY = '25006';
const TOO_MANY_CONNECTIONS = '53300';
const DISK_FULL = '53100';

/**
 * SQLSTATEs that the query did not cause: connection, rollback, resources, operator intervention (such as the statement timeout),
 * system, a read-only or full server, and timeouts that the operator of the server set.
 */
const OUTAGE = /^(08|40|53|57|58|25006|25P03|25P04|55P03)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

// Errors of the server have a code. A broken connection ends in a system error, or in an Error without a code.
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? OUTAGE.test(codeOf(error)) : !(error instanceof TypeError);

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Returns whether the server, the database or the role has as many connections as it may have. */
export const isTooManyConnections = (error: unknown): boolean => codeOf(error) === TOO_MANY_CONNECTIONS;

/** Returns whether the server accepts no writes. After a failover, a new client may reach another server. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error instanceof ServiceError ? error.cause : error) === READ_ONLY;

const unavailable = (message: string, cause: unknown): ServiceError =>
  new ServiceError('unavailable', message, { retryAfter: 1 }, { cause });

export const unreachable = (cause: unknown): ServiceError =>
  unavailable('The database cannot be reached. Retry in a few seconds.', cause);

function toServiceError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION) return deletedMeanwhile(error);
  if (code === DISK_FULL) return unavailable(DISK_IS_FULL, error);
  return isOutage(error) ? unreachable(error) : error;
}

/** Rejects with a ServiceError for an outage of the database, and with the error itself for a fault of the service. */
export const translateErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toServiceError(error);
  });

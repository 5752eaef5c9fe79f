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
 * Matches SQLSTATE codes of failures that the query did not cause: connection, rollback, resource and system errors,
 * operator intervention (such as the statement timeout), a read-only or full server, and timeouts that are set on the
 * server.
 */
const OUTAGE = /^(08|40|53|57|58|25006|25P03|25P04|55P03)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

// Returns true if the query did not cause the error. Errors of the server have a SQLSTATE code. A broken connection
// causes a system error or an Error without a code.
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? OUTAGE.test(codeOf(error)) : !(error instanceof TypeError);

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/**
 * Returns true if PostgreSQL refused a connection because the server, the database or the role has reached its
 * connection limit.
 */
export const isTooManyConnections = (error: unknown): boolean => codeOf(error) === TOO_MANY_CONNECTIONS;

/**
 * Returns true if the error means that the server is read-only. After a failover, a new connection may reach the new
 * primary server.
 */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error instanceof ServiceError ? error.cause : error) === READ_ONLY;

const unavailable = (message: string, cause: unknown): ServiceError =>
  new ServiceError('unavailable', message, { retryAfter: 1, reason: 'storage' }, { cause });

export const unreachable = (cause: unknown): ServiceError =>
  unavailable(
    'The database cannot be reached. Retry in a few seconds. If the error persists, the operator of the service must check the database.',
    cause,
  );

function fromPostgresError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === FOREIGN_KEY_VIOLATION) return deletedMeanwhile(error);
  if (code === DISK_FULL) return unavailable(DISK_IS_FULL, error);
  return isOutage(error) ? unreachable(error) : error;
}

/**
 * Rejects with a ServiceError if a database outage made the work fail. Rejects with the original error if the service
 * itself caused the failure.
 */
export const translateErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fromPostgresError(error);
  });

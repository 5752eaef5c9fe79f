import { DatabaseError } from 'pg';
import { ServiceError } from '../errors.js';
import { goneMeanwhile } from './gone-meanwhile.js';

const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';

const READ_ONLY = '25006';

/**
 * SQLSTATEs that say nothing of the query: connection, rollback, resources, operator intervention (a statement that took too
 * long included), system; a server that is a copy, or has no room left to write, and the ends of waits that its operator set.
 */
const OUTAGE = /^(08|40|53|57|58|25006|25P03|25P04|55P03)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

// What the database itself says has a code; a connection that breaks ends in a system error or in plain words.
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? OUTAGE.test(codeOf(error)) : !(error instanceof TypeError);

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** Whether the connection leads to a server that takes no writes: since a failover another one may. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error instanceof ServiceError ? error.cause : error) === READ_ONLY;

export const unreachable = (cause: unknown): ServiceError =>
  new ServiceError(
    'unavailable',
    'The database cannot be reached. Try again shortly.',
    { retryAfter: 1 },
    { cause },
  );

function toServiceError(error: unknown): unknown {
  if (codeOf(error) === FOREIGN_KEY_VIOLATION) return goneMeanwhile(error);
  return isOutage(error) ? unreachable(error) : error;
}

/** Tells faults of the database apart from faults of ours. */
export const translated = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toServiceError(error);
  });

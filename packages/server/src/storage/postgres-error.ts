import { DatabaseError } from 'pg';
import { ServiceError } from '../errors.js';
import { goneMeanwhile } from './gone-meanwhile.js';

const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';

/** Classes of SQLSTATE that say nothing of the query: connection, rollback, resources, operator intervention, system. */
const OUTAGE = /^(08|40|53|57P|58)/;

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

// What the database itself says has a code; a connection that breaks ends in a system error or in plain words.
const isOutage = (error: unknown): boolean =>
  error instanceof DatabaseError ? OUTAGE.test(codeOf(error)) : !(error instanceof TypeError);

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

function toServiceError(error: unknown): unknown {
  if (codeOf(error) === FOREIGN_KEY_VIOLATION) return goneMeanwhile(error);
  if (!isOutage(error)) return error;
  return new ServiceError(
    'unavailable',
    'The database cannot be reached. Try again shortly.',
    { retryAfter: 1 },
    { cause: error },
  );
}

/** Tells faults of the database apart from faults of ours. */
export const translated = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw toServiceError(error);
  });

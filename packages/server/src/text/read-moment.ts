import { ServiceError } from '../errors.js';

/**
 * Parses a date or time, such as 2026-11-20T09:00:00Z, into epoch milliseconds. Throws invalid_request for any other
 * text.
 */
export function readMoment(given: string): number {
  const moment = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new ServiceError(
    'invalid_request',
    `"${given}" is not a date or time. Use one such as 2026-11-20 or 2026-11-20T09:00:00Z.`,
  );
}

export const readMomentIfAny = (given: string | undefined): number | undefined =>
  given === undefined ? undefined : readMoment(given);

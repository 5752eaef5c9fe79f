import { ServiceError } from '../errors.js';

/** Returns true if the text begins with a day of the calendar. `Date.parse` would read February 30 as March 2. */
function beginsWithDay(text: string): boolean {
  const day = text.slice(0, 10);
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day);
}

/**
 * Parses a date or time, such as 2026-11-20T09:00:00Z, into epoch milliseconds. Throws invalid_request for any other
 * text.
 */
export function readMoment(given: string): number {
  const moment = beginsWithDay(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new ServiceError(
    'invalid_request',
    `"${given}" is not a date or time. Use one such as 2026-11-20 or 2026-11-20T09:00:00Z.`,
  );
}

export const readMomentIfAny = (given: string | undefined): number | undefined =>
  given === undefined ? undefined : readMoment(given);

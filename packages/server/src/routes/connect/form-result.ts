import { CANCELLED, refusalReason } from '../../authorization/refuse-consent.js';
import { type ErrorCode, ServiceError } from '../../errors.js';

/** Error code of each failure that the page of a link can show again, by its reason code or error code. */
const FAILURES: Readonly<Record<string, ErrorCode>> = {
  no_cookie: 'forbidden',
  other_site: 'forbidden',
  keys_refused: 'rate_limited',
  upstream_unavailable: 'unavailable',
  client_away: 'unavailable',
  unavailable: 'unavailable',
};

const KEY_PROBLEMS = ['missing', 'refused'] as const;

/**
 * Result of the form on the page of a link: a cancellation, the problem of an entered key, or the reason code of a
 * failure.
 */
export type FormResult = string;

/**
 * Returns the failure of a form for the page of its link. Returns an empty text for a failure that the page finds
 * itself, and rethrows every other failure.
 */
export function failureOf(error: unknown): FormResult {
  if (!(error instanceof ServiceError)) throw error;
  const { code } = error;
  const known = [refusalReason(error), code].find((each) => Object.hasOwn(FAILURES, each));
  if (known === undefined && code !== 'not_found') throw error;
  return known ?? '';
}

/** Result of the last form, as its page reads it from the query. */
interface ShownResult {
  readonly isCancelled: boolean;
  readonly problem: (typeof KEY_PROBLEMS)[number] | undefined;
  readonly failure: ServiceError | undefined;
}

/** Reads a result from the query. Anybody can write the query, so only known results count. */
export function readResult(result: unknown): ShownResult {
  const code = typeof result === 'string' && Object.hasOwn(FAILURES, result) ? FAILURES[result] : undefined;
  return {
    isCancelled: result === CANCELLED,
    problem: KEY_PROBLEMS.find((problem) => problem === result),
    failure: code && new ServiceError(code, 'The form of this page failed. Try again.', { reason: result }),
  };
}

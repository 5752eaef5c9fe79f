import { CANCELLED } from '../../authorization/consent-errors.js';
import type { KeyProblem } from '../../authorization/enter-key.js';
import { refusalReason } from '../../authorization/refuse-consent.js';
import { type ErrorCode, ServiceError } from '../../errors.js';

interface FormFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Seconds until a new attempt can succeed. */
  readonly retryAfter?: number;
}

/**
 * Failures that the page of an authorization link shows after the redirect of a failed form, by their reason code or
 * error code.
 */
const FAILURES: Readonly<Record<string, FormFailure>> = {
  no_cookie: {
    code: 'forbidden',
    message:
      'The browser sent no cookie with the form, so nothing was changed. Allow cookies for this site, then send the form again.',
  },
  other_site: {
    code: 'forbidden',
    message:
      'A page of another site sent the form, so nothing was changed. Open the link that you received, and continue on its page.',
  },
  keys_refused: {
    code: 'rate_limited',
    message:
      'The upstream refused too many keys for this account, so nothing was changed. Check the key, then try again in 60 s.',
    retryAfter: 60,
  },
  upstream_unavailable: {
    code: 'unavailable',
    message: 'The upstream does not respond, so nothing was changed. Send the form again in a few seconds.',
    retryAfter: 5,
  },
  unavailable: {
    code: 'unavailable',
    message: 'The service is not available, so nothing was changed. Send the form again in a few seconds.',
    retryAfter: 5,
  },
};

const KEY_PROBLEMS = [
  'missing',
  'refused',
  'credentialRefused',
] as const satisfies readonly KeyProblem['problem'][];

/**
 * Returns the result code of a failed form for the URL of its page. Returns an empty text for a failure that the page
 * finds itself, such as an expired link, and rethrows every other failure.
 */
export function resultOf(error: ServiceError): string {
  const { code } = error;
  const known = [refusalReason(error), code].find((each) => Object.hasOwn(FAILURES, each));
  if (known === undefined && code !== 'not_found') throw error;
  return known ?? '';
}

/** Result of the last form, as its page reads it from the query. */
interface ShownResult {
  readonly isCancelled: boolean;
  readonly problem: KeyProblem['problem'] | undefined;
  readonly failure: ServiceError | undefined;
}

function failureOf(result: string): ServiceError | undefined {
  const known = Object.hasOwn(FAILURES, result) ? FAILURES[result] : undefined;
  if (known === undefined) return undefined;
  const { code, message, ...wait } = known;
  return new ServiceError(code, message, { reason: result, ...wait });
}

/** Reads a result from the query. Anybody can write the query, so only known results count. */
export function readResult(result: unknown): ShownResult {
  return {
    isCancelled: result === CANCELLED,
    problem: KEY_PROBLEMS.find((problem) => problem === result),
    failure: typeof result === 'string' ? failureOf(result) : undefined,
  };
}

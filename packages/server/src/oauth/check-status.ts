import { parseRetryAfter } from '../http/retry-after.js';
import { OAuthError } from './oauth-error.js';

const asksForRetry = (status: number) => status === 408 || status === 429 || status >= 500;

// Longest accepted Retry-After in seconds: one day. Longer values are shortened, because a wrong value would block all
// users for too long.
const MAX_WAIT_SECONDS = 86_400;

function retryAfterSeconds({ headers }: Response): number | undefined {
  const seconds = parseRetryAfter(headers.get('retry-after') ?? undefined, new Date());
  return seconds && Math.min(seconds, MAX_WAIT_SECONDS);
}

export const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/** Throws OAuthError for a temporary failure: status 408, 429 or 5xx. */
export function checkAvailable(response: Response): void {
  const { status } = response;
  if (!asksForRetry(status)) return;
  throw new OAuthError('unavailable', `The authorization server responded with ${status}. Retry later.`, {
    status,
    retryAfter: retryAfterSeconds(response),
  });
}

/** Endpoint of an authorization server, for the error about a redirect. */
interface CalledEndpoint {
  /** Name of the endpoint, such as "token endpoint". */
  readonly name: string;
  /** Sentences that say how to avoid the redirect. */
  readonly advice: string;
}

/**
 * Throws OAuthError for a temporary failure (408, 429, 5xx) and for a redirect, because redirects are not followed. The
 * error omits the target of the redirect, because errors contain no text of a response.
 */
export function checkStatus(response: Response, { name, advice }: CalledEndpoint): void {
  checkAvailable(response);
  if (!isRedirect(response)) return;
  throw new OAuthError(
    'unusable',
    `The ${name} of the authorization server responded with a redirect, which the service does not follow. ${advice}`,
    { status: response.status },
  );
}

import { parseRetryAfter } from '../http/retry-after.js';
import { OAuthError } from './oauth-error.js';

const isLater = (status: number) => status === 408 || status === 429 || status >= 500;

// A day, in seconds: who says longer is asked once a day, because a wrong word must not end the access of everybody.
const LONGEST_WAIT = 86_400;

function retryAfterSeconds({ headers }: Response): number | undefined {
  const seconds = parseRetryAfter(headers.get('retry-after') ?? undefined, new Date());
  return seconds && Math.min(seconds, LONGEST_WAIT);
}

export const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/** Throws for an answer that says to come back later. */
export function checkAvailable(response: Response): void {
  const { status } = response;
  if (!isLater(status)) return;
  throw new OAuthError('unavailable', `The authorization server answered ${status}.`, {
    status,
    retryAfter: retryAfterSeconds(response),
  });
}

/** Throws for an answer that says to come back later, and for a redirect. */
export function checkStatus(response: Response): void {
  checkAvailable(response);
  if (!isRedirect(response)) return;
  throw new OAuthError(
    'unusable',
    'The authorization server answered with a redirect, which is not followed.',
    { status: response.status },
  );
}

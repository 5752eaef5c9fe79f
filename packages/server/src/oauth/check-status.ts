import { OAuthError } from './oauth-error.js';

const isLater = (status: number) => status === 408 || status === 429 || status >= 500;

function retryAfterSeconds(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
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

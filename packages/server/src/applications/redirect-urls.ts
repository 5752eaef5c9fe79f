import { ServiceError } from '../errors.js';
import type { ApplicationRow } from '../storage/schema.js';

type Registered = Pick<ApplicationRow, 'redirectUrls'>;

/** Compares exactly, because any normalization of URLs could bypass the list (rule O20). */
function isRegistered({ redirectUrls }: Registered, url: string): boolean {
  const registered: unknown = JSON.parse(redirectUrls);
  return Array.isArray(registered) && registered.includes(url);
}

/** Throws invalid_request for a URL that the application has not registered. */
export function checkRedirectUrl(application: Registered, field: string, url: string | undefined): void {
  if (url === undefined || isRegistered(application, url)) return;
  throw new ServiceError(
    'invalid_request',
    `${field} is not one of the application's redirect URLs. Register it, and send it exactly as registered.`,
  );
}

/** Gives the URL; `null` if it was removed from the list after the link was created. */
export const stillRegistered = (application: Registered | undefined, url: string | null): string | null =>
  application && url !== null && isRegistered(application, url) ? url : null;

// Appends to the registered text, because a URL parser would rewrite its query.
const withParameter = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

export const verifyRedirect = (verifyUrl: string, authRequestId: string): string =>
  withParameter(verifyUrl, 'auth_request_id', authRequestId);

/**
 * The URL at which the application says who its user is; `undefined` when the user need not be verified (rules O4 and O6).
 * Throws application_not_configured for a production application without one.
 */
export function verifyUrlOf({
  name,
  production,
  verifyUrl,
}: Pick<ApplicationRow, 'name' | 'production' | 'verifyUrl'>): string | undefined {
  if (verifyUrl !== null) return verifyUrl;
  if (production === 0) return undefined;
  throw new ServiceError(
    'application_not_configured',
    `"${name}" is marked production and has no verify URL, so nobody could confirm who consented. Set its verify URL.`,
  );
}

export const failureRedirect = (failureUrl: string, errorCode: string): string =>
  withParameter(failureUrl, 'svc_error', errorCode);

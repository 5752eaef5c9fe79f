import { ServiceError } from '../errors.js';
import type { ApplicationRow } from '../storage/schema.js';

type Registered = Pick<ApplicationRow, 'redirectUrls'>;

/**
 * True if the application has registered the redirect URL. The comparison is character by character, because any
 * normalization of URLs could admit an unregistered URL (rule O20 in security-rules.md).
 */
function isRegistered({ redirectUrls }: Registered, url: string): boolean {
  const registered: unknown = JSON.parse(redirectUrls);
  return Array.isArray(registered) && registered.includes(url);
}

/** Throws invalid_request if the application has not registered the redirect URL that a request names. */
export function checkRedirectUrl(application: Registered, field: string, url: string | undefined): void {
  if (url === undefined || isRegistered(application, url)) return;
  throw new ServiceError(
    'invalid_request',
    `"${field}" is not one of the application's redirect URLs. Ask an operator to register the URL, and send it exactly as registered.`,
  );
}

/**
 * Returns the redirect URL of an authorization link. Returns `null` if the application has unregistered the URL since
 * the link was created.
 */
export const stillRegistered = (application: Registered | undefined, url: string | null): string | null =>
  application && url !== null && isRegistered(application, url) ? url : null;

// Appends a query parameter to the URL's text, because a URL parser would rewrite the registered query.
const withParameter = (url: string, name: string, value: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

// Appends the state that the application gave to the authorization link, if any.
const withState = (url: string, state: string | null): string =>
  state === null ? url : withParameter(url, 'state', state);

export const verifyRedirect = (verifyUrl: string, authRequestId: string, state: string | null): string =>
  withState(withParameter(verifyUrl, 'auth_request_id', authRequestId), state);

export const successRedirect = (successUrl: string, state: string | null): string =>
  withState(successUrl, state);

/**
 * Returns the URL at which the application verifies its user after a consent. Returns `undefined` if no verification is
 * required (rules O4 and O6 in security-rules.md). Throws application_not_configured for a production application
 * without a verify URL.
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
    `The application "${name}" is marked production but has no verify URL, so the service cannot confirm which user consented. Ask an operator to set the verify URL of the application.`,
  );
}

export const failureRedirect = (failureUrl: string, errorCode: string, state: string | null): string =>
  withState(withParameter(failureUrl, 'svc_error', errorCode), state);

import { wrongField } from '../errors.js';

// Forbidden characters in redirect URIs: non-ASCII, control characters, spaces and backslashes. URL parsers rewrite
// them, so a browser could open another URL than the registered one.
const REPAIRED = /[^!-~]|\\/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
/**
 * Pattern of private URI schemes of programs on the user's device: reverse domain names (RFC 8252), or known schemes
 * without a dot.
 */
const PRIVATE_SCHEME = /^(?:[a-z][a-z0-9+-]*\.[a-z0-9+.-]+|cursor|vscode|vscode-insiders):$/;
const MAX_CHARACTERS = 1024;
const MAX_URIS = 10;

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.test(hostname);

function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_CHARACTERS || REPAIRED.test(uri) || uri.includes('#') || !URL.canParse(uri))
    return false;
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url) || PRIVATE_SCHEME.test(url.protocol);
}

/** Returns the redirect URIs without duplicates. Throws invalid_request for an invalid URI. */
export function checkRedirectUris(uris: readonly string[]): readonly string[] {
  const wrong = uris.findIndex((uri) => !isRedirectUri(uri));
  if (wrong !== -1)
    // Gives the number of the URI instead of the URI itself, which can contain a password.
    throw wrongField(
      'redirectUris',
      `A redirect URI is invalid (number ${wrong + 1}). Use an https URL, http://127.0.0.1/…, http://localhost/… or a private scheme such as com.example.app:/…, with at most ${MAX_CHARACTERS} characters. Omit fragments and user names, and percent-encode characters outside ASCII.`,
    );
  if (uris.length > 0 && uris.length <= MAX_URIS) return [...new Set(uris)];
  throw wrongField('redirectUris', `The number of redirect URIs is invalid. Send 1 to ${MAX_URIS}.`);
}

/** Removes the port of a loopback URI. A program on a device listens on any free port (RFC 8252, section 7.3). */
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/[^/?]+?):\d+(?=[/?]|$)/, '$1');

/**
 * True if the redirect URI is registered for the client. The comparison is exact, except for the port of a loopback
 * URI.
 */
export const fitsRedirectUri = (registered: readonly string[], given: string): boolean =>
  isRedirectUri(given) &&
  (registered.includes(given) ||
    (isLoopback(new URL(given)) &&
      registered.some((uri) => isLoopback(new URL(uri)) && withoutPort(uri) === withoutPort(given))));

/**
 * Appends query parameters to a redirect URI. The URI itself stays exactly as registered, because a URL parser would
 * rewrite it.
 */
export function toRedirect(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.join('&')}`;
}

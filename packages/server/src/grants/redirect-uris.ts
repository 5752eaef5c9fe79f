import { wrongField } from '../errors.js';

// URL parsers repair these characters, so a browser would open another URL than the compared one. No header holds them.
const REPAIRED = /[^!-~]|\\/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
/** Private schemes of programs on the user's device: with a dot, by RFC 8252, or known names. */
const PRIVATE_SCHEME = /^(?:[a-z][a-z0-9+-]*\.[a-z0-9+.-]+|cursor|vscode|vscode-insiders):$/;
const LONGEST = 1024;
const MOST = 10;

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.test(hostname);

function isRedirectUri(uri: string): boolean {
  if (uri.length > LONGEST || REPAIRED.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isLoopback(url) || PRIVATE_SCHEME.test(url.protocol);
}

/** Gives the distinct redirect URIs. Throws invalid_request for invalid ones. */
export function checkRedirectUris(uris: readonly string[]): readonly string[] {
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong !== undefined)
    throw wrongField(
      'redirectUris',
      "A redirect URI is an https URL, http://127.0.0.1/… or http://localhost/… of a program on the user's device, or a scheme of that program such as com.example.app:/…; without a fragment and without a user name, in ASCII, with everything else percent-encoded.",
    );
  if (uris.length > 0 && uris.length <= MOST) return [...new Set(uris)];
  throw wrongField('redirectUris', `A client must have 1 to ${MOST} redirect URIs.`);
}

/** Removes the port, because a program on a device listens on any free one (RFC 8252, section 7.3). */
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/[^/?]+?):\d+(?=[/?]|$)/, '$1');

/** True if the URI is registered: exact comparison, except for the port of a loopback URI. */
export const fitsRedirectUri = (registered: readonly string[], given: string): boolean =>
  isRedirectUri(given) &&
  (registered.includes(given) ||
    (isLoopback(new URL(given)) &&
      registered.some((uri) => isLoopback(new URL(uri)) && withoutPort(uri) === withoutPort(given))));

/** Appends parameters to the unchanged URI. */
export function toRedirect(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.join('&')}`;
}

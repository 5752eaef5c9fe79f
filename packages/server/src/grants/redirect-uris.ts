import { wrongField } from '../errors.js';

// A URL parser repairs what these find, so that what is compared would not be what a browser goes to; and no header holds it.
const REPAIRED = /[^!-~]|\\/;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
/** Schemes that a program on the user's device registered: with a dot, as RFC 8252 has them, or known to be one's own. */
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

/** Where a client may have browsers sent back to. Throws invalid_request. */
export function checkRedirectUris(uris: readonly string[]): readonly string[] {
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong !== undefined)
    throw wrongField(
      'redirectUris',
      "A redirect URI is an https URL, http://127.0.0.1/… or http://localhost/… of a program on the user's device, or a scheme of that program such as com.example.app:/…; without a fragment and without a user name, in ASCII, with everything else percent-encoded.",
    );
  if (uris.length > 0 && uris.length <= MOST) return [...new Set(uris)];
  throw wrongField('redirectUris', `A client has 1 to ${MOST} redirect URIs.`);
}

/** The text without the port: a program on a device listens where it finds one free (RFC 8252, section 7.3). */
const withoutPort = (uri: string): string => uri.replace(/^(http:\/\/[^/?]+?):\d+(?=[/?]|$)/, '$1');

/** Whether a client may have its user sent there: letter by letter, but for the port of a program on the device. */
export const fitsRedirectUri = (registered: readonly string[], given: string): boolean =>
  isRedirectUri(given) &&
  (registered.includes(given) ||
    (isLoopback(new URL(given)) &&
      registered.some((uri) => isLoopback(new URL(uri)) && withoutPort(uri) === withoutPort(given))));

/** The URI with what is brought back; its own text stays as it is. */
export function toRedirect(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${given.join('&')}`;
}

import { ServiceError } from '../errors.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';

/** True if the operator listed the origin for the connector. All other origins must be https on port 443. */
export type IsListed = (origin: string) => boolean;

// URL parsers repair these characters: they drop line breaks and tabs, and turn backslashes into slashes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;

/** Problem of an endpoint's URL (rule O17), as the rest of a sentence; `undefined` if there is none. */
export function problemOf(value: string, isListed: IsListed): string | undefined {
  if (!/^https?:\/\/[^/]/.test(value) || REPAIRED.test(value) || !URL.canParse(value)) {
    return 'is not an absolute https URL';
  }
  if (/^https?:\/\/[^/?#]*@/.test(value)) return 'holds a user name or password';
  if (value.includes('#')) return 'has a fragment';
  const url = new URL(value);
  const isPublicHttps = url.protocol === 'https:' && url.port === '';
  if (isPublicHttps || isListed(url.origin)) return undefined;
  return 'is not https on port 443, and its origin is not listed for the connector in SVC_ALLOWED_ORIGINS';
}

/** Checks URLs that an authorization server sent, by the origins that the operator listed for the connector. */
export function createProblemOf(isAllowedOrigin: IsAllowedOrigin) {
  return (connector: string, url: string): string | undefined =>
    problemOf(url, (origin) => isAllowedOrigin(connector, origin));
}

/** Gives the URL unchanged. Throws invalid_request with its problem. */
export function checkEndpoint(field: string, value: string, isListed: IsListed): string {
  const problem = problemOf(value, isListed);
  if (problem === undefined) return value;
  throw new ServiceError(
    'invalid_request',
    `${field} ${problem}; give one such as https://api.example.com/path.`,
  );
}

/** Checks a base URL and removes slashes at its end. Paths are appended to it, so it must not have a query. */
export function checkBaseUrl(value: string, isListed: IsListed, field = 'baseUrl'): string {
  const checked = checkEndpoint(field, value, isListed);
  if (!checked.includes('?')) return withoutLastSlashes(checked);
  throw new ServiceError(
    'invalid_request',
    `${field} has a query; leave it out, because paths are added to the URL.`,
  );
}

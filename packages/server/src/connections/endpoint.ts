import { ServiceError } from '../errors.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';

/** Whether the operator listed the origin for the connector; others must be https on its own port. */
export type IsListed = (origin: string) => boolean;

// A URL parser repairs what these find: it drops line breaks and tabs, and turns backslashes into slashes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;

/** What is wrong with the URL of an endpoint (rule O17); `undefined` when nothing is. */
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

/** The same for whichever connector an authorization server has sent an address. */
export const problemsBy =
  (isAllowedOrigin: IsAllowedOrigin) =>
  (connector: string, url: string): string | undefined =>
    problemOf(url, (origin) => isAllowedOrigin(connector, origin));

/** The URL of an endpoint, as it was given. Throws invalid_request with what is wrong with it. */
export function checkEndpoint(field: string, value: string, isListed: IsListed): string {
  const problem = problemOf(value, isListed);
  if (problem === undefined) return value;
  throw new ServiceError(
    'invalid_request',
    `${field} ${problem}; give one such as https://api.example.com/path.`,
  );
}

/** A base URL without the slashes at its end. Paths are added to it, so it has no query. */
export function checkBaseUrl(value: string, isListed: IsListed, field = 'baseUrl'): string {
  const checked = checkEndpoint(field, value, isListed);
  if (!checked.includes('?')) return withoutLastSlashes(checked);
  throw new ServiceError(
    'invalid_request',
    `${field} has a query; leave it out, because paths are added to the URL.`,
  );
}

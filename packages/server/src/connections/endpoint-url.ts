import { ServiceError } from '../errors.js';
import type { IsAllowedOrigin } from '../names/allowed-origins.js';
import { urlFormProblem } from '../text/url-form.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';

/**
 * Function that returns true if the operator has listed the origin in `SVC_ALLOWED_ORIGINS`. Origins that are not
 * listed must use https on port 443.
 */
export type IsListed = (origin: string) => boolean;

/**
 * Returns the problem of an endpoint URL, worded as the end of a sentence (rule O17 in security-rules.md). Returns
 * `undefined` for a valid URL. `connector`: name of the connector in the sentence.
 */
export function problemOf(
  value: string,
  isListed: IsListed,
  connector = 'the connector',
): string | undefined {
  const problem = urlFormProblem(value);
  if (problem !== undefined) return problem;
  const url = new URL(value);
  const isPublicHttps = url.protocol === 'https:' && url.port === '';
  if (isPublicHttps || isListed(url.origin)) return undefined;
  return `is not https on port 443, and its origin is not listed for ${connector} in SVC_ALLOWED_ORIGINS`;
}

/**
 * Creates the check of URLs in the metadata of an authorization server. It allows other origins than https on port 443
 * only if the operator has listed them for the connector.
 */
export function createProblemOf(isAllowedOrigin: IsAllowedOrigin) {
  return (connector: string, url: string): string | undefined =>
    problemOf(url, (origin) => isAllowedOrigin(connector, origin), `the connector "${connector}"`);
}

/**
 * Checks the URL of an OAuth endpoint and returns it unchanged. Throws invalid_request if it is invalid. `field`: name
 * of the setting, for the error message.
 */
export function checkEndpoint(field: string, value: string, isListed: IsListed): string {
  const problem = problemOf(value, isListed);
  if (problem === undefined) return value;
  throw new ServiceError(
    'invalid_request',
    `${field} ${problem}. Send a URL such as https://api.example.com/path.`,
  );
}

/** Checks a base URL and removes trailing slashes. A query is not allowed, because paths are appended to the URL. */
export function checkBaseUrl(value: string, isListed: IsListed, field = 'baseUrl'): string {
  const checked = checkEndpoint(field, value, isListed);
  if (!checked.includes('?')) return withoutLastSlashes(checked);
  throw new ServiceError(
    'invalid_request',
    `${field} has a query. Remove the query, because paths are appended to the URL.`,
  );
}

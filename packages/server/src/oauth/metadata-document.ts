import type { Fetch } from '../http/fetch.js';
import { type JsonObject, parseObject } from '../text/json-object.js';
import { checkAvailable, isRedirect } from './check-status.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** Settings for fetching OAuth metadata documents for one connector. */
export interface MetadataAccess {
  readonly fetch: Fetch;
  /** Id of the connector. The connector lists the origins that the service may call. */
  readonly connector: string;
  /**
   * Returns why a URL from a server must not be called, such as "is not https"; `undefined` if the connector may call
   * the URL.
   */
  readonly problemOf: (connector: string, url: string) => string | undefined;
  /** Timeout in milliseconds for one document, including redirects. Default: 5 s. */
  readonly timeoutMs?: number | undefined;
}

export const METADATA_TIMEOUT_MS = 5_000;
const LIMIT = 256 * 1024;
const MAX_REDIRECTS = 3;

export const isOutage = (error: unknown): boolean =>
  error instanceof OAuthError && error.failure === 'unavailable';

/** Error for a successful response that is an HTML page. Web applications respond so to unknown paths. */
export class PageError extends OAuthError {}

const NOT_OBJECT =
  'The OAuth metadata document is not a JSON object. Ask the operator of its server to correct it.';

export const unusable = (message: string): OAuthError => new OAuthError('unusable', message);

/** Subject of the error message for a URL, and the instruction at its end. */
export interface CheckedUrl {
  readonly what: string;
  readonly advice: string;
}

/** Throws if a URL from a server must not be called. */
export function checkUrl(
  { what, advice }: CheckedUrl,
  url: string,
  { problemOf, connector }: MetadataAccess,
): string {
  const problem = problemOf(connector, url);
  if (problem === undefined) return url;
  throw unusable(`${what} ${problem}. ${advice}`);
}

const METADATA_URL: CheckedUrl = {
  what: 'The URL of an OAuth metadata document',
  advice: 'Ask the operator of its server to correct the URL.',
};

async function follow(start: string, signal: AbortSignal, access: MetadataAccess): Promise<Response> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    checkUrl(METADATA_URL, url, access);
    const headers = { accept: 'application/json' };
    const response = await access.fetch(url, {
      headers,
      redirect: 'manual',
      signal,
      connector: access.connector,
    });
    if (!isRedirect(response)) return response;
    await response.body?.cancel();
    const location = response.headers.get('location') ?? '';
    if (!URL.canParse(location, url))
      throw unusable(
        'The request for an OAuth metadata document was redirected without a valid Location header. Ask the operator of its server to correct the redirect.',
      );
    url = new URL(location, url).href;
  }
  throw unusable(
    `The request for an OAuth metadata document was redirected more than ${MAX_REDIRECTS} times. Ask the operator of its server to correct the redirects.`,
  );
}

/**
 * Fetches a metadata document without credentials. Returns `undefined` for a 4xx response. Throws OAuthError for all
 * other failures.
 */
export async function readMetadata(url: string, access: MetadataAccess): Promise<JsonObject | undefined> {
  try {
    const response = await follow(url, AbortSignal.timeout(access.timeoutMs ?? METADATA_TIMEOUT_MS), access);
    if (response.ok) {
      const text = await readLimited(response, { limit: LIMIT });
      const document = parseObject(text);
      if (document !== undefined) return document;
      throw /^\s*</.test(text) ? new PageError('unusable', NOT_OBJECT) : unusable(NOT_OBJECT);
    }
    await response.body?.cancel();
    checkAvailable(response);
    return undefined;
  } catch (error) {
    throw toOAuthError(error);
  }
}

/**
 * Metadata document. `isFallback` is true if an earlier URL in the list was out of service and may have a preferred
 * document.
 */
export interface FirstMetadata {
  readonly document: JsonObject;
  readonly isFallback: boolean;
}

/**
 * Tries several URLs in order and returns the first metadata document. Returns `undefined` when every URL gives 4xx. A
 * URL that fails or gives an HTML page is skipped, because the next URL may have the document.
 */
export async function readFirstMetadata(
  urls: readonly string[],
  access: MetadataAccess,
): Promise<FirstMetadata | undefined> {
  const problems: OAuthError[] = [];
  for (const url of urls) {
    try {
      const document = await readMetadata(url, access);
      if (document !== undefined) return { document, isFallback: problems.some(isOutage) };
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      problems.push(error);
    }
  }
  // An outage is thrown in preference to an invalid document, because a retry may find the right document.
  const problem = problems.find(isOutage) ?? problems[0];
  if (problem) throw problem;
  return undefined;
}

import type { Fetch } from '../http/fetch.js';
import { type JsonObject, parseObject } from '../text/json-object.js';
import { checkAvailable, isRedirect } from './check-status.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** Access to metadata documents on behalf of one connector. */
export interface MetadataAccess {
  readonly fetch: Fetch;
  /** Id of the connector, whose listed origins may be called. */
  readonly connector: string;
  /** Problem of a URL from a server, such as "is not https"; `undefined` if the connector may call it. */
  readonly problemOf: (connector: string, url: string) => string | undefined;
  /** Limit for one document and its redirects. Default: 5 s. */
  readonly timeoutMs?: number | undefined;
}

export const METADATA_TIMEOUT_MS = 5_000;
const LIMIT = 256 * 1024;
const MOST_REDIRECTS = 3;

export const isOutage = (error: unknown): boolean =>
  error instanceof OAuthError && error.failure === 'unavailable';

export const unusable = (message: string): OAuthError => new OAuthError('unusable', message);

/** Throws if the URL may not be called. `what` is the subject of the message. */
export function checkUrl(what: string, url: string, { problemOf, connector }: MetadataAccess): string {
  const problem = problemOf(connector, url);
  if (problem === undefined) return url;
  throw unusable(`${what} ${problem}.`);
}

async function follow(start: string, signal: AbortSignal, access: MetadataAccess): Promise<Response> {
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    checkUrl('The address of a metadata document', url, access);
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
    if (!URL.canParse(location, url)) throw unusable('The redirect of a metadata document has no target.');
    url = new URL(location, url).href;
  }
  throw unusable(`A metadata document was redirected more than ${MOST_REDIRECTS} times.`);
}

/** Fetches a document without credentials; `undefined` for 4xx. Throws OAuthError for all other failures. */
export async function readMetadata(url: string, access: MetadataAccess): Promise<JsonObject | undefined> {
  try {
    const response = await follow(url, AbortSignal.timeout(access.timeoutMs ?? METADATA_TIMEOUT_MS), access);
    if (response.ok) {
      const document = parseObject(await readLimited(response, LIMIT));
      if (document !== undefined) return document;
      throw unusable('A metadata document is not a JSON object.');
    }
    await response.body?.cancel();
    checkAvailable(response);
    return undefined;
  } catch (error) {
    throw toOAuthError(error);
  }
}

/** A document, and whether a URL before it was out of service: then it may not be the one that counts. */
export interface FirstMetadata {
  readonly document: JsonObject;
  readonly isFallback: boolean;
}

/**
 * Gives the first usable document; `undefined` when every URL gives 4xx. Where one URL fails or gives a page of a website, the next one may
 * still have it.
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
  // An outage weighs more than a wrong document, because a later try may find the right one.
  const problem = problems.find(isOutage) ?? problems[0];
  if (problem) throw problem;
  return undefined;
}

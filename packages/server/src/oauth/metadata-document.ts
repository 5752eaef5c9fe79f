import type { Fetch } from '../http/fetch.js';
import { checkAvailable, isRedirect } from './check-status.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

export interface MetadataParts {
  readonly fetch: Fetch;
  /** Whose listed origins may be asked. */
  readonly connector: string;
  /** What is wrong with a URL that a server named, such as "is not https"; `undefined` when the connector may ask it. */
  readonly problemOf: (connector: string, url: string) => string | undefined;
  /** Of one document, its redirects included; 5 s when absent. */
  readonly timeoutMs?: number | undefined;
}

export type MetadataDocument = Readonly<Record<string, unknown>>;

export const METADATA_TIMEOUT_MS = 5_000;
const LIMIT = 256 * 1024;
const MOST_REDIRECTS = 3;

export const unusable = (message: string): OAuthError => new OAuthError('unusable', message);

/** Throws when the URL, which `what` names, may not be asked. */
export function checkUrl(what: string, url: string, { problemOf, connector }: MetadataParts): string {
  const problem = problemOf(connector, url);
  if (problem === undefined) return url;
  throw unusable(`${what} ${problem}.`);
}

async function parse(response: Response): Promise<MetadataDocument> {
  const text = await readLimited(response, LIMIT);
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document };
  } catch {
    // Said below, as for every other document that is no object.
  }
  throw unusable('A metadata document is not a JSON object.');
}

async function follow(start: string, signal: AbortSignal, parts: MetadataParts): Promise<Response> {
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    checkUrl('The address of a metadata document', url, parts);
    const headers = { accept: 'application/json' };
    const response = await parts.fetch(url, {
      headers,
      redirect: 'manual',
      signal,
      connector: parts.connector,
    });
    if (!isRedirect(response)) return response;
    await response.body?.cancel();
    const location = response.headers.get('location') ?? '';
    if (!URL.canParse(location, url)) throw unusable('A metadata document is redirected to nowhere.');
    url = new URL(location, url).href;
  }
  throw unusable(`A metadata document is redirected more than ${MOST_REDIRECTS} times.`);
}

/** A document without credentials; `undefined` when there is none (4xx). Throws OAuthError for everything else. */
export async function readMetadata(url: string, parts: MetadataParts): Promise<MetadataDocument | undefined> {
  try {
    const response = await follow(url, AbortSignal.timeout(parts.timeoutMs ?? METADATA_TIMEOUT_MS), parts);
    if (response.ok) return await parse(response);
    await response.body?.cancel();
    checkAvailable(response);
    return undefined;
  } catch (error) {
    throw toOAuthError(error);
  }
}

/** The first document that there is: where a website answers whatever is asked with a page of its own, the next address may have one. */
export async function readFirstMetadata(
  urls: readonly string[],
  parts: MetadataParts,
): Promise<MetadataDocument | undefined> {
  const unusableOnes: OAuthError[] = [];
  for (const url of urls) {
    try {
      const document = await readMetadata(url, parts);
      if (document !== undefined) return document;
    } catch (error) {
      if (!(error instanceof OAuthError) || error.failure !== 'unusable') throw error;
      unusableOnes.push(error);
    }
  }
  if (unusableOnes[0]) throw unusableOnes[0];
  return undefined;
}

import { isRedirect } from './check-status.js';
import {
  checkUrl,
  METADATA_TIMEOUT_MS,
  type MetadataDocument,
  type MetadataParts,
  unusable,
} from './metadata-document.js';
import { toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** What a client says of itself at the address that is its id. */
export interface ClientDocument {
  /** Its own word. */
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
}

/** Reads a client ID metadata document. Throws OAuthError. */
export type ReadClientDocument = (clientId: string, connector: string) => Promise<ClientDocument>;

const LIMIT = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;
/** A segment that a server could read as another address. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

/** An address with a path and nothing that two readers could take for two addresses. */
function checkClientId(clientId: string, parts: MetadataParts): void {
  checkUrl('The client id', clientId, parts);
  const { pathname, href } = new URL(clientId);
  if (pathname === '/' || href !== clientId || DOTS.test(clientId))
    throw unusable('The client id is no address of a document, as it is written.');
}

async function fetchDocument(url: string, { fetch, connector }: MetadataParts): Promise<string> {
  const signal = AbortSignal.timeout(METADATA_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal,
      connector,
    });
    const isDocument = response.status === 200 && JSON_TYPE.test(response.headers.get('content-type') ?? '');
    if (isDocument) return await readLimited(response, LIMIT);
    await response.body?.cancel();
    const why = isRedirect(response) ? 'is redirected' : 'is not there as JSON';
    throw unusable(`The document of the client ${why}.`);
  } catch (error) {
    throw toOAuthError(error);
  }
}

function parse(text: string): MetadataDocument {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return { ...document };
  } catch {
    // Said below, as for every other document that is no object.
  }
  throw unusable('The document of the client is not a JSON object.');
}

/**
 * Whoever can read the document could show a secret in it, and other ways to show who one is are not taken. A client that
 * prefers one of those may say that it can do without, as that of ChatGPT does.
 */
const isPublicClient = ({
  client_secret: secret,
  token_endpoint_auth_method: method = 'none',
  token_endpoint_auth_methods_supported: methods,
}: MetadataDocument) =>
  secret === undefined && (method === 'none' || (Array.isArray(methods) && methods.includes('none')));

export const createReadClientDocument =
  (given: Omit<MetadataParts, 'connector'>): ReadClientDocument =>
  async (clientId, connector) => {
    const parts = { ...given, connector };
    checkClientId(clientId, parts);
    const document = parse(await fetchDocument(clientId, parts));
    const { client_id: id, client_name: name, redirect_uris: redirectUris } = document;
    if (id !== clientId) throw unusable('The document is of another client.');
    if (!isPublicClient(document))
      throw unusable('The client is not a public one, by token_endpoint_auth_method "none".');
    if (!Array.isArray(redirectUris) || !redirectUris.every((uri) => typeof uri === 'string'))
      throw unusable('The document of the client names no redirect_uris.');
    return { name: typeof name === 'string' ? name : undefined, redirectUris };
  };

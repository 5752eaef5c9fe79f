import { type JsonObject, parseObject } from '../text/json-object.js';
import { isRedirect } from './check-status.js';
import {
  type CheckedUrl,
  checkUrl,
  METADATA_TIMEOUT_MS,
  type MetadataAccess,
  unusable,
} from './metadata-document.js';
import { toOAuthError } from './oauth-error.js';
import { readLimited } from './read-limited.js';

/** Metadata of an MCP client, read from the metadata document whose URL is the client id. */
export interface ClientDocument {
  /** Display name, which the client itself chose and nobody verified. */
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
}

const LIMIT = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;
/** Matches `.` and `..` path segments, because some servers resolve such a URL to another URL. */
const DOTS = /\/\.{1,2}(?:\/|$)/;

const CLIENT_ID: CheckedUrl = {
  what: 'The client id',
  advice: 'Send the exact https URL of the metadata document as the client id.',
};

/** Checks that a client id is a URL with a path, in a spelling that all URL parsers read in the same way. */
function checkClientId(clientId: string, access: MetadataAccess): void {
  checkUrl(CLIENT_ID, clientId, access);
  const { pathname, href } = new URL(clientId);
  if (pathname === '/' || href !== clientId || DOTS.test(clientId))
    throw unusable(
      'The client id is not a valid URL of a metadata document. Send the exact https URL of the metadata document as the client id.',
    );
}

/** Returns the problem with a response that is not a metadata document, as a sentence without a full stop. */
function unusableReason(response: Response): string {
  if (isRedirect(response)) return 'The URL of the client id redirects to another URL';
  if (response.status !== 200) return 'The URL of the client id responded without a metadata document';
  return 'The URL of the client id responded with a content type other than JSON';
}

async function fetchDocument(url: string, { fetch, connector }: MetadataAccess): Promise<string> {
  const signal = AbortSignal.timeout(METADATA_TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal,
      connector,
    });
    const isDocument = response.status === 200 && JSON_TYPE.test(response.headers.get('content-type') ?? '');
    if (isDocument)
      return await readLimited(response, {
        limit: LIMIT,
        subject: "client's metadata document",
        responsible: 'developer of the client',
      });
    await response.body?.cancel();
    throw unusable(
      `${unusableReason(response)}. The developer of the client must serve the metadata document at this URL, with status 200 and the content type application/json.`,
    );
  } catch (error) {
    throw toOAuthError(error);
  }
}

/**
 * Returns true for a public client. Clients with a secret are refused, because a secret in a public document proves
 * nothing. A client that prefers another method may list `none` as supported, as ChatGPT does.
 */
const isPublicClient = ({
  client_secret: secret,
  token_endpoint_auth_method: method = 'none',
  token_endpoint_auth_methods_supported: methods,
}: JsonObject) =>
  secret === undefined && (method === 'none' || (Array.isArray(methods) && methods.includes('none')));

export function createReadClientDocument({ fetch, problemOf }: Pick<MetadataAccess, 'fetch' | 'problemOf'>) {
  /** Fetches and validates a client ID metadata document. Throws OAuthError. */
  async function readClientDocument(clientId: string, connector: string): Promise<ClientDocument> {
    const access = { fetch, problemOf, connector };
    checkClientId(clientId, access);
    const document = parseObject(await fetchDocument(clientId, access));
    if (document === undefined)
      throw unusable(
        "The client's metadata document is not a JSON object. The developer of the client must correct it.",
      );
    const { client_id: id, client_name: name, redirect_uris: redirectUris } = document;
    if (id !== clientId)
      throw unusable(
        "The client_id in the client's metadata document differs from the URL of the document. The developer of the client must set client_id to this URL.",
      );
    if (!isPublicClient(document))
      throw unusable(
        'The client uses a client secret, but only clients without a secret are allowed. The developer of the client must set token_endpoint_auth_method to "none" in the metadata document.',
      );
    if (!Array.isArray(redirectUris) || !redirectUris.every((uri) => typeof uri === 'string'))
      throw unusable(
        "The client's metadata document has no redirect_uris. The developer of the client must add them.",
      );
    return { name: typeof name === 'string' ? name : undefined, redirectUris };
  }
  return readClientDocument;
}

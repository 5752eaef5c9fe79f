import type { JsonObject } from '../text/json-object.js';
import { isPlainText } from '../text/plain-text.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import type { AuthorizationServer } from './authorization-server.js';
import { type Challenge, challengeOf } from './challenge.js';
import {
  type CheckedUrl,
  checkUrl,
  type FirstMetadata,
  isOutage,
  METADATA_TIMEOUT_MS,
  type MetadataAccess,
  PageError,
  readFirstMetadata,
  unusable,
} from './metadata-document.js';
import { toOAuthError } from './oauth-error.js';

/** Authorization server of a protected resource, combined from resource metadata and server metadata. */
export interface Discovered {
  readonly server: AuthorizationServer & { readonly issuer: string };
  /**
   * True if a preferred metadata URL or server was out of service. After it recovers, discovery may find another
   * authorization server.
   */
  readonly isFallback: boolean;
  /** True if the metadata announces PKCE with S256. The service uses PKCE even if the metadata does not. */
  readonly announcesPkce: boolean;
  readonly registrationEndpoint: string | undefined;
  /** True if the server accepts the URL of a client metadata document as client id. */
  readonly takesClientMetadata: boolean;
  /** Client authentication methods that the token endpoint supports. */
  readonly clientAuthentications: readonly string[];
  /** Scopes to request: the scopes of the resource, and `offline_access` if the server supports it. */
  readonly scopes: readonly string[];
}

const STAY_CONNECTED = 'offline_access';
// Maximum length of an issuer. The database indexes the issuer, and index entries have a limited length.
const MAX_ISSUER_CHARACTERS = 1024;
// Maximum number of authorization servers to try. Each unreachable server costs up to 15 s.
const MAX_SERVERS = 4;
// Default of RFC 8414 for servers that list no client authentication methods.
const DEFAULT_AUTHENTICATIONS = ['client_secret_basic'];

// MCP allows only `ping` before the initialization of a session.
const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const pathOf = (url: string) => withoutLastSlashes(new URL(url).pathname);

/** Result of a request without a token to an MCP server. */
interface Probe {
  readonly challenge: Challenge;
  readonly asksForToken: boolean;
}

/**
 * Returns the URL of a redirect that keeps the method and the origin of the request; `undefined` for other responses.
 */
function redirectOf({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location') ?? '';
  if (![307, 308].includes(status) || !URL.canParse(location, url)) return undefined;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : undefined;
}

/**
 * Sends a request without a token to the MCP server, and reads the challenge from its 401 response. Follows one
 * redirect within the origin, such as from `/mcp` to `/mcp/`.
 */
async function requestChallenge(
  mcpUrl: string,
  { fetch, connector, timeoutMs }: MetadataAccess,
): Promise<Probe> {
  const signal = AbortSignal.timeout(timeoutMs ?? METADATA_TIMEOUT_MS);
  async function ping(url: string): Promise<Response> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: PING,
      redirect: 'manual',
      connector,
      signal,
    });
    await response.body?.cancel();
    return response;
  }
  try {
    const first = await ping(mcpUrl);
    const target = redirectOf(first, mcpUrl);
    const response = target === undefined ? first : await ping(target);
    const asksForToken = response.status === 401;
    return { challenge: asksForToken ? await challengeOf(response) : {}, asksForToken };
  } catch (error) {
    throw toOAuthError(error);
  }
}

function resourceUrls(mcpUrl: string, { resourceMetadata }: Challenge): string[] {
  if (resourceMetadata !== undefined) return [resourceMetadata];
  const wellKnown = new URL('/.well-known/oauth-protected-resource', mcpUrl).href;
  return [...new Set([wellKnown + pathOf(mcpUrl), wellKnown])];
}

/**
 * Returns true if a token for `resource` is valid at the MCP server: same origin, and the same path or a parent path.
 */
function covers(resource: string, mcpUrl: string): boolean {
  if (!URL.canParse(resource) || new URL(resource).origin !== new URL(mcpUrl).origin) return false;
  return `${pathOf(mcpUrl)}/`.startsWith(`${pathOf(resource)}/`);
}

interface Resource {
  /** Resource identifier; `undefined` for a server of MCP revision 2025-03-26, which has no resource metadata. */
  readonly resource: string | undefined;
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
  readonly isFallback: boolean;
}

/**
 * Reads the metadata of the resource. Returns `undefined` if the server has none. Throws PageError if its URL
 * gives a page.
 */
async function readResource(
  mcpUrl: string,
  challenge: Challenge,
  access: MetadataAccess,
): Promise<Resource | undefined> {
  const metadata = await readFirstMetadata(resourceUrls(mcpUrl, challenge), access);
  if (metadata === undefined) return undefined;
  const { document, isFallback } = metadata;
  const { resource } = document;
  if (typeof resource !== 'string' || !covers(resource, mcpUrl)) {
    throw unusable(
      'The metadata of the MCP server belongs to another resource. Ask the operator of the MCP server to correct `resource` in the metadata.',
    );
  }
  const issuers = textsOf(document['authorization_servers']).slice(0, MAX_SERVERS);
  if (issuers.length === 0)
    throw unusable(
      'The metadata of the MCP server names no authorization server. Ask the operator of the MCP server to add `authorization_servers` to the metadata.',
    );
  return { resource, issuers, scopes: textsOf(document['scopes_supported']), isFallback };
}

function serverUrls(issuer: string): string[] {
  const { origin } = new URL(issuer);
  const path = pathOf(issuer);
  const [oauth, openId] = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `/.well-known/${name}`,
  );
  if (path === '') return [origin + oauth, origin + openId];
  return [origin + oauth + path, origin + openId + path, origin + path + openId];
}

/** Compares two issuers exactly, except that `https://host` and `https://host/` are equal. */
export function isSameIssuer(one: string, other: string): boolean {
  if (one === other) return true;
  const isOrigin = [one, other].every(
    (issuer) => URL.canParse(issuer) && /^https?:\/\/[^/?#]+\/?$/.test(issuer),
  );
  return isOrigin && withoutLastSlashes(one) === withoutLastSlashes(other);
}

const CORRECT_URL = 'Ask the operator of the authorization server to correct the URL.';

const ISSUER: CheckedUrl = { what: 'The issuer of the authorization server', advice: CORRECT_URL };

async function readServer(issuer: string, access: MetadataAccess): Promise<FirstMetadata> {
  checkUrl(ISSUER, issuer, access);
  if (issuer.length > MAX_ISSUER_CHARACTERS || !isPlainText(issuer))
    throw unusable(
      `The issuer of the authorization server is not plain text of at most ${MAX_ISSUER_CHARACTERS} characters. Ask the operator of the MCP server to correct \`authorization_servers\` in the metadata.`,
    );
  const metadata = await readFirstMetadata(serverUrls(issuer), access);
  if (metadata === undefined)
    throw unusable('The authorization server publishes no metadata. Ask its operator to publish it.');
  const { document } = metadata;
  // The metadata must name the expected issuer. Otherwise another server could pose as the issuer and receive its codes
  // and tokens.
  if (typeof document['issuer'] !== 'string' || !isSameIssuer(document['issuer'], issuer))
    throw unusable(
      'The metadata of the authorization server belongs to another issuer. Ask the operator of the authorization server to correct `issuer` in the metadata.',
    );
  return metadata;
}

/**
 * Reads the metadata of the first authorization server that works. The next server in the list is tried after a
 * failure.
 */
async function readFirstServer(issuers: readonly string[], access: MetadataAccess): Promise<FirstMetadata> {
  const problems: unknown[] = [];
  for (const issuer of issuers) {
    try {
      const { document, isFallback } = await readServer(issuer, access);
      return { document, isFallback: isFallback || problems.some(isOutage) };
    } catch (error) {
      problems.push(error);
    }
  }
  throw problems[0];
}

const defaultsAt = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  token_endpoint_auth_methods_supported: ['none', ...DEFAULT_AUTHENTICATIONS],
  code_challenge_methods_supported: ['S256'],
});

/**
 * Reads the authorization server at the MCP server's own origin, as MCP revision 2025-03-26 defines. Without metadata,
 * the endpoints have that revision's default paths.
 */
async function readServerAtOrigin(mcpUrl: string, access: MetadataAccess): Promise<FirstMetadata> {
  const { origin } = new URL(mcpUrl);
  const metadata = await readFirstMetadata([`${origin}/.well-known/oauth-authorization-server`], access);
  if (metadata === undefined) return { document: defaultsAt(origin), isFallback: false };
  const { issuer } = metadata.document;
  if (typeof issuer === 'string' && isSameIssuer(issuer, origin)) return metadata;
  throw unusable(
    'The metadata of the authorization server belongs to another issuer. Ask the operator of the authorization server to correct `issuer` in the metadata.',
  );
}

/**
 * Reads the metadata of an MCP server and of its authorization server. An MCP server without metadata counts as one of
 * MCP revision 2025-03-26 only if it responds with 401 to a request without a token.
 */
async function readBoth(mcpUrl: string, { challenge, asksForToken }: Probe, access: MetadataAccess) {
  let isPage = false;
  const protectedResource = await readResource(mcpUrl, challenge, access).catch((error: unknown) => {
    if (!(error instanceof PageError) || !asksForToken || challenge.resourceMetadata !== undefined)
      throw error;
    isPage = true;
    return undefined;
  });
  if (protectedResource !== undefined) {
    const { document, isFallback } = await readFirstServer(protectedResource.issuers, access);
    const { resource, scopes } = protectedResource;
    return { resource, scopes, document, isFallback: protectedResource.isFallback || isFallback };
  }
  if (!asksForToken)
    throw unusable(
      'The MCP server publishes no authorization server. Ask the operator of the MCP server to publish metadata that names one.',
    );
  const { document, isFallback } = await readServerAtOrigin(mcpUrl, access);
  // If the server sent an HTML page instead of resource metadata, it may be under maintenance, so a later discovery
  // tries again.
  return { resource: undefined, scopes: [], document, isFallback: isPage || isFallback };
}

/**
 * Reads an endpoint URL from the metadata and checks that it may be called. Returns `undefined` if the metadata has no
 * such endpoint, or a blank one.
 */
function endpointIn(document: JsonObject, name: string, access: MetadataAccess): string | undefined {
  const url = document[name];
  return typeof url === 'string' && url.trim() !== ''
    ? checkUrl({ what: `The ${name} of the authorization server`, advice: CORRECT_URL }, url, access)
    : undefined;
}

export function requiredEndpointIn(document: JsonObject, name: string, access: MetadataAccess): string {
  const url = endpointIn(document, name, access);
  if (url !== undefined) return url;
  throw unusable(
    `The metadata of the authorization server has no ${name}. Ask the operator of the authorization server to add it.`,
  );
}

function clientAuthenticationsIn({ token_endpoint_auth_methods_supported: methods }: JsonObject): string[] {
  const texts = textsOf(methods);
  return texts.length === 0 ? DEFAULT_AUTHENTICATIONS : texts;
}

export function createDiscover({ fetch, problemOf, timeoutMs }: Omit<MetadataAccess, 'connector'>) {
  /**
   * Finds the authorization server of an MCP server by its challenge, its resource metadata and its server metadata.
   * Uses the MCP server's own origin when the resource has no metadata. Throws OAuthError.
   */
  async function discover(mcpUrl: string, connector: string): Promise<Discovered> {
    const access = { fetch, problemOf, timeoutMs, connector };
    const probe = await requestChallenge(mcpUrl, access);
    const { resource, scopes, document, isFallback } = await readBoth(mcpUrl, probe, access);
    const staysConnected = textsOf(document['scopes_supported']).includes(STAY_CONNECTED);
    const wanted = [...(probe.challenge.scopes ?? scopes), ...(staysConnected ? [STAY_CONNECTED] : [])];
    return {
      server: {
        connector,
        issuer: String(document['issuer']),
        resource,
        authorizationEndpoint: requiredEndpointIn(document, 'authorization_endpoint', access),
        tokenEndpoint: requiredEndpointIn(document, 'token_endpoint', access),
        revocationEndpoint: endpointIn(document, 'revocation_endpoint', access),
        // OpenID Connect servers issue a refresh token only if the user consents explicitly, which `prompt=consent`
        // requests.
        authorizationParameters: staysConnected ? { prompt: 'consent' } : {},
        tokenRequest: { body: 'form', clientAuthentication: 'basic', headers: {} },
        sendsIssuer: document['authorization_response_iss_parameter_supported'] === true,
      },
      isFallback,
      announcesPkce: textsOf(document['code_challenge_methods_supported']).includes('S256'),
      registrationEndpoint: endpointIn(document, 'registration_endpoint', access),
      takesClientMetadata: document['client_id_metadata_document_supported'] === true,
      clientAuthentications: clientAuthenticationsIn(document),
      scopes: [...new Set(wanted)],
    };
  }
  return discover;
}

export type Discover = ReturnType<typeof createDiscover>;

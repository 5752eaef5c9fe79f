import type { JsonObject } from '../text/json-object.js';
import { isPlainText } from '../text/plain-text.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import type { AuthorizationServer } from './authorization-server.js';
import { type Challenge, challengeOf } from './challenge.js';
import {
  checkUrl,
  METADATA_TIMEOUT_MS,
  type MetadataAccess,
  readFirstMetadata,
  unusable,
} from './metadata-document.js';
import { toOAuthError } from './oauth-error.js';

/** The authorization server of a protected resource, from the metadata of both. */
export interface Discovered {
  readonly server: AuthorizationServer & { readonly issuer: string; readonly resource: string };
  readonly registrationEndpoint: string | undefined;
  /** True if the URL of a client metadata document is accepted as client id. */
  readonly takesClientMetadata: boolean;
  /** Methods of client authentication that the token endpoint supports. */
  readonly clientAuthentications: readonly string[];
  /** Scopes to request: those of the resource, and `offline_access` if the server supports it. */
  readonly scopes: readonly string[];
}

const STAY_CONNECTED = 'offline_access';
// The database indexes the issuer, and its indexes limit the length.
const LONGEST_ISSUER = 1024;
// Default of RFC 8414.
const DEFAULT_AUTHENTICATIONS = ['client_secret_basic'];

// The only request that MCP allows before initialization.
const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const pathOf = (url: string) => withoutLastSlashes(new URL(url).pathname);

/** Reads the challenge for a client without a token. */
async function askForChallenge(
  mcpUrl: string,
  { fetch, connector, timeoutMs }: MetadataAccess,
): Promise<Challenge> {
  try {
    const response = await fetch(mcpUrl, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: PING,
      redirect: 'manual',
      connector,
      signal: AbortSignal.timeout(timeoutMs ?? METADATA_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status === 401 ? await challengeOf(response) : {};
  } catch (error) {
    throw toOAuthError(error);
  }
}

function resourceUrls(mcpUrl: string, { resourceMetadata }: Challenge): string[] {
  if (resourceMetadata !== undefined) return [resourceMetadata];
  const wellKnown = new URL('/.well-known/oauth-protected-resource', mcpUrl).href;
  return [...new Set([wellKnown + pathOf(mcpUrl), wellKnown])];
}

/** True if a token for the resource is valid at the MCP server: same origin, and the same path or a path above it. */
function covers(resource: string, mcpUrl: string): boolean {
  if (!URL.canParse(resource) || new URL(resource).origin !== new URL(mcpUrl).origin) return false;
  return `${pathOf(mcpUrl)}/`.startsWith(`${pathOf(resource)}/`);
}

async function readResource(mcpUrl: string, challenge: Challenge, access: MetadataAccess) {
  const document = await readFirstMetadata(resourceUrls(mcpUrl, challenge), access);
  if (document === undefined) throw unusable('The MCP server publishes no authorization server.');
  const { resource } = document;
  if (typeof resource !== 'string' || !covers(resource, mcpUrl)) {
    throw unusable('The metadata of the MCP server belongs to another resource.');
  }
  const [issuer] = textsOf(document['authorization_servers']);
  if (issuer === undefined) throw unusable('The metadata of the MCP server names no authorization server.');
  return { resource, issuer, scopes: textsOf(document['scopes_supported']) };
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

async function readServer(issuer: string, access: MetadataAccess): Promise<JsonObject> {
  checkUrl('The issuer of the authorization server', issuer, access);
  if (issuer.length > LONGEST_ISSUER || !isPlainText(issuer))
    throw unusable(`The issuer of the authorization server is not plain text of at most ${LONGEST_ISSUER}.`);
  const document = await readFirstMetadata(serverUrls(issuer), access);
  if (document === undefined) throw unusable('The authorization server has no metadata.');
  // Exact comparison: a server that may speak for another issuer could have codes and tokens sent to itself.
  if (document['issuer'] !== issuer)
    throw unusable('The metadata of the authorization server belongs to another issuer.');
  if (!textsOf(document['code_challenge_methods_supported']).includes('S256')) {
    throw unusable('The authorization server does not offer PKCE with S256.');
  }
  return document;
}

/** Reads an endpoint and checks its URL; `undefined` if the document has none. */
function endpointIn(document: JsonObject, name: string, access: MetadataAccess): string | undefined {
  const url = document[name];
  return typeof url === 'string'
    ? checkUrl(`The ${name} of the authorization server`, url, access)
    : undefined;
}

export function requiredEndpointIn(document: JsonObject, name: string, access: MetadataAccess): string {
  const url = endpointIn(document, name, access);
  if (url !== undefined) return url;
  throw unusable(`The metadata of the authorization server has no ${name}.`);
}

function clientAuthenticationsIn({ token_endpoint_auth_methods_supported: methods }: JsonObject): string[] {
  return methods === undefined ? DEFAULT_AUTHENTICATIONS : textsOf(methods);
}

export function createDiscover({ fetch, problemOf, timeoutMs }: Omit<MetadataAccess, 'connector'>) {
  /**
   * Finds the authorization server of an MCP server by its challenge, its resource metadata and its server metadata.
   * Throws OAuthError.
   */
  async function discover(mcpUrl: string, connector: string): Promise<Discovered> {
    const access = { fetch, problemOf, timeoutMs, connector };
    const challenge = await askForChallenge(mcpUrl, access);
    const { resource, issuer, scopes } = await readResource(mcpUrl, challenge, access);
    const document = await readServer(issuer, access);
    const staysConnected = textsOf(document['scopes_supported']).includes(STAY_CONNECTED);
    const wanted = [...(challenge.scopes ?? scopes), ...(staysConnected ? [STAY_CONNECTED] : [])];
    return {
      server: {
        connector,
        issuer,
        resource,
        authorizationEndpoint: requiredEndpointIn(document, 'authorization_endpoint', access),
        tokenEndpoint: requiredEndpointIn(document, 'token_endpoint', access),
        revocationEndpoint: endpointIn(document, 'revocation_endpoint', access),
        // OpenID Connect gives a refresh token only after an explicit consent.
        authorizationParameters: staysConnected ? { prompt: 'consent' } : {},
        tokenRequest: { body: 'form', clientAuthentication: 'basic', headers: {} },
        sendsIssuer: document['authorization_response_iss_parameter_supported'] === true,
      },
      registrationEndpoint: endpointIn(document, 'registration_endpoint', access),
      takesClientMetadata: document['client_id_metadata_document_supported'] === true,
      clientAuthentications: clientAuthenticationsIn(document),
      scopes: [...new Set(wanted)],
    };
  }
  return discover;
}

export type Discover = ReturnType<typeof createDiscover>;

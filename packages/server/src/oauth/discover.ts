import { isPlainText } from '../text/plain-text.js';
import { withoutLastSlashes } from '../text/without-last-slashes.js';
import type { AuthorizationServer } from './authorization-server.js';
import { type Challenge, challengeOf } from './challenge.js';
import {
  checkUrl,
  METADATA_TIMEOUT_MS,
  type MetadataDocument,
  type MetadataParts,
  readFirstMetadata,
  unusable,
} from './metadata-document.js';
import { toOAuthError } from './oauth-error.js';

/** The authorization server that guards a resource, and what both say about it. */
export interface Discovered {
  readonly server: AuthorizationServer & { readonly issuer: string; readonly resource: string };
  readonly registrationEndpoint: string | undefined;
  /** It takes the address of a client's metadata document as the client's id. */
  readonly takesClientMetadata: boolean;
  /** How clients may authenticate at the token endpoint. */
  readonly clientAuthentications: readonly string[];
  /** To be asked for: what the resource wants, and staying connected where the server knows that. */
  readonly scopes: readonly string[];
}

/** Finds the authorization server of an MCP server. Throws OAuthError. */
export type Discover = (mcpUrl: string, connector: string) => Promise<Discovered>;

const STAY_CONNECTED = 'offline_access';
// What an index takes.
const LONGEST_ISSUER = 1024;
// What a server means that says nothing (RFC 8414).
const DEFAULT_AUTHENTICATIONS = ['client_secret_basic'];

// The one request that may come before everything else.
const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const pathOf = (url: string) => withoutLastSlashes(new URL(url).pathname);

/** What the server says to a client without a token. */
async function askForChallenge(
  mcpUrl: string,
  { fetch, connector, timeoutMs }: MetadataParts,
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

function resourceUrls(mcpUrl: string, { resourceMetadata: named }: Challenge): string[] {
  if (named !== undefined) return [named];
  const wellKnown = new URL('/.well-known/oauth-protected-resource', mcpUrl).href;
  return [...new Set([wellKnown + pathOf(mcpUrl), wellKnown])];
}

/** Whether a token for the resource is meant for the MCP server: the same origin, and the server's path or one above it. */
function covers(resource: string, mcpUrl: string): boolean {
  if (!URL.canParse(resource) || new URL(resource).origin !== new URL(mcpUrl).origin) return false;
  return `${pathOf(mcpUrl)}/`.startsWith(`${pathOf(resource)}/`);
}

async function readResource(mcpUrl: string, challenge: Challenge, parts: MetadataParts) {
  const document = await readFirstMetadata(resourceUrls(mcpUrl, challenge), parts);
  if (document === undefined)
    throw unusable('The MCP server does not say which authorization server it trusts.');
  const { resource } = document;
  if (typeof resource !== 'string' || !covers(resource, mcpUrl)) {
    throw unusable('The metadata of the MCP server is about another resource.');
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

async function readServer(issuer: string, parts: MetadataParts): Promise<MetadataDocument> {
  checkUrl('The issuer of the authorization server', issuer, parts);
  if (issuer.length > LONGEST_ISSUER || !isPlainText(issuer))
    throw unusable(`The issuer of the authorization server is no plain text of up to ${LONGEST_ISSUER}.`);
  const document = await readFirstMetadata(serverUrls(issuer), parts);
  if (document === undefined) throw unusable('The authorization server has no metadata.');
  // Letter by letter: a server that may speak for another issuer could have codes and tokens sent to itself.
  if (document['issuer'] !== issuer)
    throw unusable('The metadata of the authorization server is of another issuer.');
  if (!textsOf(document['code_challenge_methods_supported']).includes('S256')) {
    throw unusable('The authorization server does not offer PKCE with S256.');
  }
  return document;
}

/** An endpoint of the document that may be asked; `undefined` when it has none. */
function endpointIn(document: MetadataDocument, name: string, parts: MetadataParts): string | undefined {
  const url = document[name];
  return typeof url === 'string'
    ? checkUrl(`The ${name} of the authorization server`, url, parts)
    : undefined;
}

export function requiredEndpointIn(document: MetadataDocument, name: string, parts: MetadataParts): string {
  const url = endpointIn(document, name, parts);
  if (url !== undefined) return url;
  throw unusable(`The metadata of the authorization server has no ${name}.`);
}

function clientAuthenticationsIn({
  token_endpoint_auth_methods_supported: methods,
}: MetadataDocument): string[] {
  return methods === undefined ? DEFAULT_AUTHENTICATIONS : textsOf(methods);
}

/** Discovery as MCP has it: challenge, metadata of the resource, metadata of its authorization server. */
export const createDiscover =
  (given: Omit<MetadataParts, 'connector'>): Discover =>
  async (mcpUrl, connector) => {
    const parts = { ...given, connector };
    const challenge = await askForChallenge(mcpUrl, parts);
    const { resource, issuer, scopes } = await readResource(mcpUrl, challenge, parts);
    const document = await readServer(issuer, parts);
    const staysConnected = textsOf(document['scopes_supported']).includes(STAY_CONNECTED);
    const wanted = [...(challenge.scopes ?? scopes), ...(staysConnected ? [STAY_CONNECTED] : [])];
    return {
      server: {
        connector,
        issuer,
        resource,
        authorizationEndpoint: requiredEndpointIn(document, 'authorization_endpoint', parts),
        tokenEndpoint: requiredEndpointIn(document, 'token_endpoint', parts),
        revocationEndpoint: endpointIn(document, 'revocation_endpoint', parts),
        // OpenID Connect gives no refresh token without a consent of its own.
        authorizationParameters: staysConnected ? { prompt: 'consent' } : {},
        tokenRequest: { body: 'form', clientAuthentication: 'basic', headers: {} },
        sendsIssuer: document['authorization_response_iss_parameter_supported'] === true,
      },
      registrationEndpoint: endpointIn(document, 'registration_endpoint', parts),
      takesClientMetadata: document['client_id_metadata_document_supported'] === true,
      clientAuthentications: clientAuthenticationsIn(document),
      scopes: [...new Set(wanted)],
    };
  };

import type { AuthorizationServer } from './authorization-server.js';

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly codeChallenge: string;
  /** Random value that the server repeats in the ID token, so that the caller can detect a replayed token. */
  readonly nonce?: string;
}

// Query parameters that only this service may set, and parameters such as `request` that could override them.
const RESERVED = [
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
];

/**
 * Builds the URL of the consent page for the user's browser. Parameters of the connector's endpoint cannot override
 * reserved parameters.
 */
export function authorizationUrl(server: AuthorizationServer, request: AuthorizationRequest): string {
  const url = new URL(server.authorizationEndpoint);
  for (const [name, value] of Object.entries(server.authorizationParameters))
    url.searchParams.set(name, value);
  for (const name of RESERVED) url.searchParams.delete(name);
  const own = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    ...(request.scopes.length > 0 && { scope: request.scopes.join(' ') }),
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    ...(server.resource !== undefined && { resource: server.resource }),
  };
  for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Builds the URL of the page on which an administrator consents for all users of an organization. Returns `undefined`
 * for a server without such a page. The path of the page is relative, so the page is always on the server of the
 * authorization endpoint.
 */
export function administratorUrl(
  { authorizationEndpoint, administratorConsent }: AuthorizationServer,
  { clientId, redirectUri }: Pick<AuthorizationRequest, 'clientId' | 'redirectUri'>,
): string | undefined {
  if (administratorConsent === undefined) return undefined;
  const { path, parameters } = administratorConsent;
  const url = new URL(path, authorizationEndpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('redirect_uri', redirectUri);
  return url.href;
}

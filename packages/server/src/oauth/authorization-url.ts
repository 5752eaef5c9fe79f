import type { AuthorizationServer } from './authorization-server.js';

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly codeChallenge: string;
  /** Repeated by the server in the ID token. */
  readonly nonce?: string;
}

// Parameters that only this service sets, and those that could replace them.
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

/** The consent URL for the user's browser. Query and constant parameters of the endpoint cannot override reserved ones. */
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

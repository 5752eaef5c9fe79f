import type { AuthorizationServer } from './authorization-server.js';

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly codeChallenge: string;
  /** What comes back in the ID token. */
  readonly nonce?: string;
}

// Ours alone, or able to put others in the place of ours.
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

/** The URL that the user's browser is sent to. The endpoint's own query and the constant parameters cannot override ours. */
export function authorizationUrl(server: AuthorizationServer, request: AuthorizationRequest): string {
  const url = new URL(server.authorizationEndpoint);
  for (const [name, value] of Object.entries(server.authorizationParameters))
    url.searchParams.set(name, value);
  for (const name of RESERVED) url.searchParams.delete(name);
  const ours = {
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
  for (const [name, value] of Object.entries(ours)) url.searchParams.set(name, value);
  return url.href;
}

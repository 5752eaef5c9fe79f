export interface NewClient {
  /** Name of the client, which the authorization server shows to users on its consent page. */
  readonly name: string;
  readonly redirectUri: string;
}

/** Method by which an OAuth client authenticates at the token endpoint (RFC 7591). */
export type ClientAuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** Returns true for a loopback redirect URI. Strict servers allow loopback URIs only for native clients (SEP-837). */
const isLoopback = (redirectUri: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(redirectUri).hostname);

/** Builds the OAuth metadata of a client, for dynamic registration and for client metadata documents. */
export const describeClient = (
  { name, redirectUri }: NewClient,
  authenticationMethod: ClientAuthenticationMethod,
) => ({
  client_name: name,
  redirect_uris: [redirectUri],
  // Some servers refuse token refreshes unless the client registered the grant type `refresh_token`.
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: authenticationMethod,
  application_type: isLoopback(redirectUri) ? ('native' as const) : ('web' as const),
});

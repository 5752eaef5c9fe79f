export interface NewClient {
  /** Shown to users on the consent page. */
  readonly name: string;
  readonly redirectUri: string;
}

/** Authentication at the token endpoint. */
export type ClientAuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** True for a redirect URI on the user's own machine, which strict servers allow for native clients alone (SEP-837). */
const isLoopback = (redirectUri: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(redirectUri).hostname);

/** Metadata of a client of this service, for registration endpoints and client metadata documents. */
export const describeClient = (
  { name, redirectUri }: NewClient,
  authenticationMethod: ClientAuthenticationMethod,
) => ({
  client_name: name,
  redirect_uris: [redirectUri],
  // Servers refuse refreshes without the second grant type.
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: authenticationMethod,
  application_type: isLoopback(redirectUri) ? ('native' as const) : ('web' as const),
});

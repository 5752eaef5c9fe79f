export interface NewClient {
  /** What users read on the consent page. */
  readonly name: string;
  readonly redirectUri: string;
}

/** How a client authenticates at the token endpoint. */
export type ClientAuthenticationMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** What the service says of a client of its own, at a registration endpoint and in a client's metadata document. */
export const describeClient = (
  { name, redirectUri }: NewClient,
  authenticationMethod: ClientAuthenticationMethod,
) => ({
  client_name: name,
  redirect_uris: [redirectUri],
  // Without the second one every refresh would be refused.
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: authenticationMethod,
  application_type: 'web',
});

export interface OAuthProfile {
  /** OAuth endpoint paths of the real service. They follow the base URL of the emulated service. */
  readonly paths: { readonly authorization: string; readonly token: string; readonly revocation?: string };
  /** Supported scopes, each with its explanation for the consent page. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Permissions that the consent page lists if the service has no scopes. */
  readonly rights?: readonly string[];
  /** Lifetime of an access token in seconds, unless a dial changes it. */
  readonly accessTokenSeconds: number;
  /** Lifetime of a refresh token in seconds. Absent if refresh tokens never expire. */
  readonly refreshTokenSeconds?: number;
  /** True if a refresh returns a new refresh token. Reuse of the old refresh token then revokes the grant. */
  readonly rotates: boolean;
  /** True if a refresh token stays valid after it was exchanged for a new one. */
  readonly acceptsUsedRefreshTokens?: boolean;
  /** Maximum number of refresh tokens per person and application. Issuing another one deletes the oldest. */
  readonly mostRefreshTokens?: number;
  readonly prefixes: { readonly access: string; readonly refresh: string };
  /** Non-standard query parameters that an authorization request may contain. */
  readonly extraParameters: readonly string[];
  /** Query parameters that the redirect to the application omits, because the real service omits them. */
  readonly hiddenRedirectParameters: readonly string[];
  newClient(): { clientId: string; clientSecret: string };
  issuesRefreshToken(request: AuthorizationRequest): boolean;
  /**
   * MCP authorization rules. Clients register dynamically, PKCE is required, and each token is valid for one resource.
   */
  readonly mcp?: McpProfile;
  /** True if the new token also gets the scopes of earlier consents (incremental authorization). */
  includesGrantedScopes(request: AuthorizationRequest): boolean;
}

export interface McpProfile {
  /** Path that follows the base URL of the emulated service in the issuer identifier. */
  readonly issuerPath: string;
  readonly registrationPath: string;
  /** Path of the protected MCP resource. */
  readonly resourcePath: string;
  /** Scopes of the protected resource. The other scopes belong to the authorization server. */
  readonly resourceScopes: readonly string[];
}

export interface AuthorizationRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly returning: boolean;
}

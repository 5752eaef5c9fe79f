export interface OAuthProfile {
  /** The real paths, which follow the upstream's base URL. */
  readonly paths: { readonly authorization: string; readonly token: string; readonly revocation?: string };
  /** Scopes that exist, and how the consent page explains them. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Text of the consent page when the service has no scopes. */
  readonly rights?: readonly string[];
  /** Life of an access token in seconds, unless dialled. */
  readonly accessTokenSeconds: number;
  /** Life of a refresh token in seconds; absent where it has no end. */
  readonly refreshTokenSeconds?: number;
  /** True if a refresh returns a new refresh token, and reuse of the old one revokes the family. */
  readonly rotates: boolean;
  /** True if a refresh token still works after it was exchanged for a new one. */
  readonly acceptsUsedRefreshTokens?: boolean;
  /** Most refresh tokens of one person and application. A further one deletes the oldest. */
  readonly mostRefreshTokens?: number;
  readonly prefixes: { readonly access: string; readonly refresh: string };
  /** Parameters that an authorization request may have beside the standard ones. */
  readonly extraParameters: readonly string[];
  /** Parameters that the redirect to the application omits. */
  readonly hiddenRedirectParameters: readonly string[];
  newClient(): { clientId: string; clientSecret: string };
  issuesRefreshToken(request: AuthorizationRequest): boolean;
  /** Set where the rules of MCP hold: clients register themselves, PKCE is required, and a token is good for one resource. */
  readonly mcp?: McpProfile;
  /** True if the scopes of earlier consents are added to this one. */
  includesGrantedScopes(request: AuthorizationRequest): boolean;
}

export interface McpProfile {
  /** Path that the issuer adds to the upstream's base URL. */
  readonly issuerPath: string;
  readonly registrationPath: string;
  /** Path of the resource. */
  readonly resourcePath: string;
  /** The scopes that the resource knows; the others are the authorization server's own. */
  readonly resourceScopes: readonly string[];
}

export interface AuthorizationRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly returning: boolean;
}

export interface OAuthProfile {
  /** The real paths, which follow the upstream's base URL. */
  readonly paths: { readonly authorization: string; readonly token: string; readonly revocation?: string };
  /** Scopes that exist, and how the consent page explains them. */
  readonly scopes: Readonly<Record<string, string>>;
  /** What the consent page says instead when the service has no scopes. */
  readonly rights?: readonly string[];
  /** Life of an access token in seconds, unless dialled. */
  readonly accessTokenSeconds: number;
  /** Life of a refresh token in seconds; absent where it has no end. */
  readonly refreshTokenSeconds?: number;
  /** Whether a refresh gives a new refresh token, and reuse of an old one revokes the family. */
  readonly rotates: boolean;
  /** Whether a refresh token that has been exchanged for a new one still works. */
  readonly acceptsUsedRefreshTokens?: boolean;
  /** How many refresh tokens of one person an application may have; the oldest goes when there is one more. */
  readonly mostRefreshTokens?: number;
  readonly prefixes: { readonly access: string; readonly refresh: string };
  /** What an authorization request may carry beside the standard parameters. */
  readonly extraParameters: readonly string[];
  /** What the redirect to the application leaves out. */
  readonly hiddenRedirectParameters: readonly string[];
  newClient(): { clientId: string; clientSecret: string };
  issuesRefreshToken(request: AuthorizationRequest): boolean;
  /** Set where the rules of MCP hold: clients register themselves, PKCE is required, and a token is good for one resource. */
  readonly mcp?: McpProfile;
  /** Whether scopes of earlier approvals are added to this one. */
  includesGrantedScopes(request: AuthorizationRequest): boolean;
}

export interface McpProfile {
  /** What the issuer adds to the upstream's base URL. */
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

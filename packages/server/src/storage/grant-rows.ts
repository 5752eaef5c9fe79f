/** Settings for the sign-in by which users of an application grant access to MCP clients. */
export interface AgentAccessRow {
  /** Id of these settings. An application has at most one row. */
  id: string;
  applicationId: string;
  /**
   * URL of the application to which the service redirects browsers, so that the application identifies its user. `null`
   * if `issuer` identifies the user.
   */
  signInUrl: string | null;
  /**
   * OpenID Connect issuer that identifies the user. `null` if the application identifies the user at `signInUrl`.
   * `clientId` is the id of the service as a client of the issuer.
   */
  issuer: string | null;
  clientId: string | null;
  /** Encrypted client secret of the service at the OpenID Connect issuer. `null` if the service is a public client. */
  clientSecret: string | null;
  /** Name of the claim in the ID token that contains the application's identifier for the user. */
  claim: string | null;
  /** JSON array of the OpenID Connect scopes that the service requests from the issuer. */
  scopes: string | null;
  /** 1 if MCP clients may register dynamically; otherwise 0. */
  registration: number;
  /** JSON object: limits that apply to every token of the application's MCP clients. */
  limits: string;
  createdAt: number;
}

/** MCP client that is registered at an application's authorization server. */
export interface AgentClientRow {
  id: string;
  applicationId: string;
  name: string;
  /** JSON array of the redirect URIs that the MCP client registered. */
  redirectUris: string;
  createdAt: number;
}

/**
 * Sign-in in a user's browser that gives an MCP client access, from the authorization request to the authorization
 * code.
 */
export interface AgentSignInRow {
  id: string;
  applicationId: string;
  /**
   * Id of the MCP client that requests access. The next columns contain its name as users see it, and parameters of its
   * authorization request.
   */
  clientId: string;
  clientName: string;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  /** JSON object: limits of the access that the MCP client gets. The consent page shows them to the user. */
  limits: string;
  /**
   * Digest of the sign-in's one-time secret. If `issuer` is `null`, the secret is the ticket that the application sends
   * back with the identifier of its user. Otherwise it is the OAuth `state` in the request to the issuer.
   */
  ticketDigest: string;
  /** OpenID Connect issuer that signs the user in. `null` if the application signs the user in. */
  issuer: string | null;
  browserDigest: string;
  /** Identifier of the user. `null` until the application or the issuer has identified the user. */
  identifier: string | null;
  /** Digest of the secret in the URL to which the browser returns from the application's sign-in page. */
  returnDigest: string | null;
  /** Digest of the authorization code. `null` until the user has consented. */
  codeDigest: string | null;
  /** Id of the grant that the service created when the MCP client exchanged the authorization code for tokens. */
  grantId: string | null;
  /** Time when the user decided or the sign-in was refused, in milliseconds since 1970. `null` until then. */
  endedAt: number | null;
  expiresAt: number;
}

/** Access that a user has granted to an MCP client. Revoking the grant revokes all its tokens. */
export interface AgentGrantRow {
  id: string;
  applicationId: string;
  identifier: string;
  clientId: string;
  clientName: string;
  resource: string;
  /** JSON object: limits of the MCP client's access, to which the user has consented. */
  limits: string;
  /**
   * Number of the grant's current refresh token. Each refresh increments it and so invalidates the previous refresh
   * token.
   */
  generation: number;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

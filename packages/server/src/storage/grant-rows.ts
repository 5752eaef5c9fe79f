/** Settings for the sign-in with which users of an application grant access to MCP clients. */
export interface AgentAccessRow {
  /** Id of the application that has these settings. Each application has at most one row. */
  id: string;
  applicationId: string;
  /**
   * URL of the application to which the service redirects browsers, so that the application identifies its signed-in
   * user.
   */
  signInUrl: string | null;
  /**
   * OpenID Connect issuer that identifies the user; `null` when `signInUrl` does. `clientId` is the id of the service
   * as a client of this issuer.
   */
  issuer: string | null;
  clientId: string | null;
  /** Encrypted client secret of the service at the OpenID Connect issuer; `null` for a public client. */
  clientSecret: string | null;
  /** Name of the ID token claim that contains the application's identifier of the user. */
  claim: string | null;
  /** JSON array of the OpenID Connect scopes that the service requests at the issuer. */
  scopes: string | null;
  /** 1 if MCP clients may register themselves dynamically. */
  registration: number;
  /** JSON object: limits that every token of the application's MCP clients has. */
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
 * Sign-in of a user's browser that gives an MCP client access, from the authorization request to the authorization
 * code.
 */
export interface AgentSignInRow {
  id: string;
  applicationId: string;
  /**
   * Id of the MCP client that requests access. The next columns are its name as shown to the user, and parameters of
   * its authorization request.
   */
  clientId: string;
  clientName: string;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  /** JSON object: limits of the MCP client's access, which the consent page shows to the user. */
  limits: string;
  /**
   * Digest of the sign-in's one-time secret. Without `issuer`, the secret is the ticket that the application returns
   * with the identifier of its user. Otherwise it is the OAuth `state` of the request to the issuer.
   */
  ticketDigest: string;
  /** OpenID Connect issuer that signs the user in; `null` when the application signs the user in. */
  issuer: string | null;
  browserDigest: string;
  /** Identifier of the user; `null` until the application or the issuer has identified the user. */
  identifier: string | null;
  /** Digest of the secret in the URL with which the browser returns from the application's sign-in page. */
  returnDigest: string | null;
  /** Digest of the authorization code; `null` until the user has consented. */
  codeDigest: string | null;
  /** Id of the grant that was created when the MCP client exchanged the authorization code for tokens. */
  grantId: string | null;
  /** Time when the user decided or the sign-in was refused; `null` while the sign-in is in progress. */
  endedAt: number | null;
  expiresAt: number;
}

/** Access that a user granted to an MCP client. Revoking the grant revokes all its tokens. */
export interface AgentGrantRow {
  id: string;
  applicationId: string;
  identifier: string;
  clientId: string;
  clientName: string;
  resource: string;
  /** JSON object: limits of the MCP client's access to which the user consented. */
  limits: string;
  /**
   * Number of the grant's current refresh token. Each refresh increments the number and invalidates the previous
   * refresh token.
   */
  generation: number;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

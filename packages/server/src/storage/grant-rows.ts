/** Settings of the sign-in by which users of an application give MCP clients access. */
export interface AgentAccessRow {
  /** Id of the application, which has one such row. */
  id: string;
  applicationId: string;
  /** URL to which browsers are sent, so that the application can say who its user is. */
  signInUrl: string | null;
  /** OpenID Connect issuer that says so instead, and the service's client there. */
  issuer: string | null;
  clientId: string | null;
  /** Encrypted. */
  clientSecret: string | null;
  /** Name of the claim that is the user's identifier. */
  claim: string | null;
  /** JSON array of names. */
  scopes: string | null;
  /** 1 when clients may register themselves. */
  registration: number;
  /** JSON object: limits of every token of these clients. */
  limits: string;
  createdAt: number;
}

/** MCP client that an application registered. */
export interface AgentClientRow {
  id: string;
  applicationId: string;
  name: string;
  /** JSON array of URLs. */
  redirectUris: string;
  createdAt: number;
}

/** Sign-in of one browser, from an MCP client to the consent page and back with a code. */
export interface AgentSignInRow {
  id: string;
  applicationId: string;
  /** The client's id, the name that the user sees, and the parameters that the client sent. */
  clientId: string;
  clientName: string;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  /** JSON object: the limits that the user is asked to consent to. */
  limits: string;
  /** Digest of the ticket by which the application names its user, or of the state that the issuer gets. Used once. */
  ticketDigest: string;
  /** Issuer that signs the user in; `null`: the application itself. */
  issuer: string | null;
  browserDigest: string;
  /** Identifier of the user, once the application has named it. */
  identifier: string | null;
  /** Digest of the secret that the browser brings back from the application. */
  returnDigest: string | null;
  /** Digest of the code, once the user has consented. */
  codeDigest: string | null;
  /** Grant for which the code was exchanged. */
  grantId: string | null;
  /** Time of the user's decision, or of a refusal. */
  endedAt: number | null;
  expiresAt: number;
}

/** Access that a user granted an MCP client. All tokens of a grant are revoked together. */
export interface AgentGrantRow {
  id: string;
  applicationId: string;
  identifier: string;
  clientId: string;
  clientName: string;
  resource: string;
  /** JSON object: the limits that the user consented to. */
  limits: string;
  /** Generation of the refresh token that is valid. */
  generation: number;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

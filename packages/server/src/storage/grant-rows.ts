/** How users of an application sign in to give MCP clients access. */
export interface AgentAccessRow {
  /** That of its application, which has one. */
  id: string;
  applicationId: string;
  /** Where browsers are sent, so that the application can say who its user is. */
  signInUrl: string | null;
  /** Or the OpenID Connect issuer that says so, and what the service is to it. */
  issuer: string | null;
  clientId: string | null;
  /** Encrypted. */
  clientSecret: string | null;
  /** Name of the claim that is the user's identifier. */
  claim: string | null;
  /** A JSON array of names. */
  scopes: string | null;
  /** 1 when clients may register themselves. */
  registration: number;
  /** A JSON object: limits of every token of these clients. */
  limits: string;
  createdAt: number;
}

/** An MCP client that an application knows beforehand. */
export interface AgentClientRow {
  id: string;
  applicationId: string;
  name: string;
  /** A JSON array of URLs. */
  redirectUris: string;
  createdAt: number;
}

/** One way of a browser from an MCP client to the consent page and back, with a code. */
export interface AgentSignInRow {
  id: string;
  applicationId: string;
  /** The client, its name as its user reads it, and what it sent. */
  clientId: string;
  clientName: string;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  /** A JSON object: the limits that its user is asked about. */
  limits: string;
  /** Of what the application is handed to say who its user is, or its issuer as the state: good once. */
  ticketDigest: string;
  /** Who signs the user in; `null`: the application itself. */
  issuer: string | null;
  browserDigest: string;
  /** The user, as the application knows them, once it has said so. */
  identifier: string | null;
  /** Of what the browser that was at the application brings back. */
  returnDigest: string | null;
  /** Of the code, once the user has agreed. */
  codeDigest: string | null;
  /** What the code was exchanged for. */
  grantId: string | null;
  /** When the user decided, or a refusal ended it. */
  endedAt: number | null;
  expiresAt: number;
}

/** What a user allowed an MCP client: all tokens of it live and end together. */
export interface AgentGrantRow {
  id: string;
  applicationId: string;
  identifier: string;
  clientId: string;
  clientName: string;
  resource: string;
  /** A JSON object: the limits that the user agreed to. */
  limits: string;
  /** Which refresh token is the one that counts. */
  generation: number;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

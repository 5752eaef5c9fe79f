export interface AuthorizationLinkRow {
  id: string;
  applicationId: string;
  accountId: string;
  tokenDigest: string;
  /** 1 when another upstream user may replace the current one. */
  replaceSubject: number;
  /** URL to which the browser goes at the end; `null`: to a page of the service. */
  successUrl: string | null;
  failureUrl: string | null;
  expiresAt: number;
  usedAt: number | null;
  /** First time that a use of the link was refused. */
  refusedAt: number | null;
}

export interface AuthorizationFlowRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  stateDigest: string;
  browserDigest: string;
  /** Encrypted. */
  codeVerifier: string;
  clientId: string;
  issuer: string | null;
  tokenEndpoint: string;
  /** JSON array of the requested scopes. */
  scopes: string;
  replaceSubject: number;
  successUrl: string | null;
  failureUrl: string | null;
  expiresAt: number;
  consumedAt: number | null;
  /** First time that a callback of the flow was refused. */
  refusedAt: number | null;
}

/** Tokens of a consent whose user the application has not confirmed yet. */
export interface PendingApprovalRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  requestDigest: string;
  /** Encrypted: the tokens as JSON. */
  tokens: string;
  /** Endpoint that issued the tokens, and whose server revokes them. */
  tokenEndpoint: string;
  /** JSON array of the requested scopes. */
  scopes: string;
  subject: string | null;
  issuer: string | null;
  connectedAs: string | null;
  replaceSubject: number;
  successUrl: string | null;
  /** Time at which the tokens were issued. */
  issuedAt: number;
  expiresAt: number;
}

export interface AuthorizationLinkRow {
  id: string;
  applicationId: string;
  accountId: string;
  tokenDigest: string;
  /** 1 when another upstream user may take the place of the present one. */
  replaceSubject: number;
  /** Where the browser goes in the end; `null`: to a page of ours. */
  successUrl: string | null;
  failureUrl: string | null;
  expiresAt: number;
  usedAt: number | null;
  /** When a use of it was refused first. */
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
  /** A JSON array of the scopes that were asked for. */
  scopes: string;
  replaceSubject: number;
  successUrl: string | null;
  failureUrl: string | null;
  expiresAt: number;
  consumedAt: number | null;
  /** When a callback of it was refused first. */
  refusedAt: number | null;
}

/** Tokens of an approval whose user the application has not confirmed yet. */
export interface PendingApprovalRow {
  id: string;
  applicationId: string;
  connectionId: string;
  accountId: string;
  requestDigest: string;
  /** Encrypted: the tokens as JSON. */
  tokens: string;
  /** Where the tokens are from, and may be revoked. */
  tokenEndpoint: string;
  /** A JSON array of the scopes that were asked for. */
  scopes: string;
  subject: string | null;
  issuer: string | null;
  replaceSubject: number;
  successUrl: string | null;
  /** When the tokens came. */
  issuedAt: number;
  expiresAt: number;
}

/** Bearer of a narrowed token: a browser or another public caller, or an agent. */
export type TokenKind = 'account' | 'agent';

export interface NarrowedTokenRow {
  id: string;
  applicationId: string;
  /** Client secret with which the token was requested. Its revocation ends the token. */
  clientSecretId: string;
  kind: TokenKind;
  /** JSON object: the token's first link. Links that bearers add are in their tokens alone. */
  limits: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** Count of the calls with tokens that share one link. */
export interface NarrowedTokenCallRow {
  applicationId: string;
  tokenId: string;
  /** SHA-256 of the seal. The seal itself is never stored, because it can mint tokens. */
  sealDigest: string;
  used: number;
  /** Expiry of the token. */
  expiresAt: number;
}

/** Browser origin that an application registered. */
export interface ApplicationOriginRow {
  applicationId: string;
  origin: string;
}

/**
 * Kind of bearer for whom a narrowed token (an access token with limits) is made. `account`: a browser or another
 * public client. `agent`: an AI agent.
 */
export type TokenKind = 'account' | 'agent';

export interface NarrowedTokenRow {
  id: string;
  applicationId: string;
  /**
   * Id of the client secret with which the application requested the narrowed token (an access token with limits).
   * Revoking the client secret also ends the token.
   */
  clientSecretId: string;
  kind: TokenKind;
  /** Identifier of the only user for whose accounts the token is valid. */
  identifier: string;
  /**
   * JSON object: limits that the application set for the token. Limits that bearers add later are in the token itself
   * and are not stored.
   */
  limits: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/**
 * Number of calls that were made under one call limit of a token. Tokens that bearers derive from this token contain
 * the limit too and share the number.
 */
export interface NarrowedTokenCallRow {
  applicationId: string;
  tokenId: string;
  /**
   * SHA-256 digest of the seal, which is the limit's signature in the token. The seal itself is never stored, because
   * it can mint tokens.
   */
  sealDigest: string;
  used: number;
  /** Time when the token with the call limit expires, in milliseconds since 1970. */
  expiresAt: number;
}

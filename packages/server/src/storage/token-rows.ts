/** Kind of bearer of a narrowed token: `account` for a browser or other public client, `agent` for an AI agent. */
export type TokenKind = 'account' | 'agent';

export interface NarrowedTokenRow {
  id: string;
  applicationId: string;
  /**
   * Client secret with which the application requested the narrowed token. Revoking the client secret also ends the
   * token.
   */
  clientSecretId: string;
  kind: TokenKind;
  /** Identifier of the user to whom the limits restrict the token. */
  identifier: string;
  /**
   * JSON object: the limits that the application set for the token. Limits that bearers add later are part of the token
   * text and not stored.
   */
  limits: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/**
 * Number of calls that were made under a call limit of a token. Tokens derived from this token contain the limit too
 * and share the number.
 */
export interface NarrowedTokenCallRow {
  applicationId: string;
  tokenId: string;
  /**
   * SHA-256 of the seal, which is the signature of the limit in the token. The seal itself is never stored, because it
   * can mint tokens.
   */
  sealDigest: string;
  used: number;
  /** Time when the token with the call limit expires, in milliseconds since 1970. */
  expiresAt: number;
}

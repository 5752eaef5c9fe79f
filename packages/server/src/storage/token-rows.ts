/**
 * Kind of bearer for which a narrowed token is issued: `account` for a browser or other public client, `agent` for an
 * agent.
 */
export type TokenKind = 'account' | 'agent';

export interface NarrowedTokenRow {
  id: string;
  applicationId: string;
  /** Client secret with which the application requested the token. Revoking the client secret also ends the token. */
  clientSecretId: string;
  kind: TokenKind;
  /**
   * JSON object: the first link of the token chain, with the application's limits. Links that bearers add are not
   * stored.
   */
  limits: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** Call count of a token chain link. All tokens that contain the link share the count. */
export interface NarrowedTokenCallRow {
  applicationId: string;
  tokenId: string;
  /** SHA-256 of the link's seal (its signature). The seal itself is never stored, because it can mint tokens. */
  sealDigest: string;
  used: number;
  /** Time when the token expires, in milliseconds since 1970. */
  expiresAt: number;
}

/** Browser origin that an application registered for CORS. */
export interface ApplicationOriginRow {
  applicationId: string;
  origin: string;
}

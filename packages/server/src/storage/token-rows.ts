/** Whom a narrowed token is for: a browser or another public caller, or an agent. */
export type TokenKind = 'account' | 'agent';

export interface NarrowedTokenRow {
  id: string;
  applicationId: string;
  /** It ends with the client secret that it was asked for with. */
  clientSecretId: string;
  kind: TokenKind;
  /** A JSON object: the token's own link. Links that holders add are in their tokens alone. */
  limits: string;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** Calls with tokens that were made from one link. */
export interface NarrowedTokenCallRow {
  applicationId: string;
  tokenId: string;
  /** Of the seal of the link: whoever has a seal can make tokens with it. */
  sealDigest: string;
  used: number;
  /** When the token ends. */
  expiresAt: number;
}

/** An origin of browsers, registered by an application. */
export interface ApplicationOriginRow {
  applicationId: string;
  origin: string;
}

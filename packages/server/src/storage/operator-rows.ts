/** What an operator may do: everything; everything but managing operators; only look. */
export type OperatorRole = 'owner' | 'operator' | 'reader';

/** A person who runs the service. */
export interface OperatorRow {
  id: string;
  /** In lower case. */
  name: string;
  role: OperatorRole;
  passwordHash: string;
  createdAt: number;
  signedInAt: number | null;
}

/** How an operator said who it is. */
export type SignedInBy = 'password' | 'link' | 'passkey';

export interface OperatorSessionRow {
  digest: string;
  operatorId: string;
  signedInBy: SignedInBy;
  createdAt: number;
  usedAt: number;
}

export interface OperatorSignInLinkRow {
  digest: string;
  operatorId: string;
  expiresAt: number;
}

export interface OperatorPasskeyRow {
  id: string;
  operatorId: string;
  /** As the authenticator names it. */
  credentialId: string;
  /** In COSE, as base64url. */
  publicKey: string;
  /** Of its signatures; 0 where the authenticator does not count. */
  counter: number;
  name: string;
  createdAt: number;
  usedAt: number | null;
}

/** Of a passkey's challenge, kept for as long as it would be taken. */
export interface AnsweredChallengeRow {
  digest: string;
  expiresAt: number;
}

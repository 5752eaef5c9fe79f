/** Permissions of an operator: everything; everything except managing operators; read-only. */
export type OperatorRole = 'owner' | 'operator' | 'reader';

/** Person who runs the service. */
export interface OperatorRow {
  id: string;
  /** Name in lower case. */
  name: string;
  role: OperatorRole;
  passwordHash: string;
  createdAt: number;
  signedInAt: number | null;
}

/** Method by which an operator signed in. */
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
  /** Id that the authenticator gave. */
  credentialId: string;
  /** COSE key in base64url. */
  publicKey: string;
  /** Signature counter; 0 for an authenticator that does not count. */
  counter: number;
  name: string;
  createdAt: number;
  usedAt: number | null;
}

/** Challenge of a passkey that was answered. It is kept until it would have expired. */
export interface AnsweredChallengeRow {
  digest: string;
  expiresAt: number;
}

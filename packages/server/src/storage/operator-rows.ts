/**
 * Role of an operator. `owner`: full access. `operator`: full access except managing operators. `reader`: read-only
 * access.
 */
export type OperatorRole = 'owner' | 'operator' | 'reader';

/** Person who signs in to the dashboard and operates the service. */
export interface OperatorRow {
  id: string;
  /** Name of the operator, in lower case. */
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
  /** Credential id that the operator's authenticator created for the passkey. */
  credentialId: string;
  /** COSE public key of the passkey, encoded as base64url. */
  publicKey: string;
  /** WebAuthn signature counter of the passkey. 0 if the authenticator does not count. */
  counter: number;
  name: string;
  createdAt: number;
  usedAt: number | null;
}

/**
 * WebAuthn challenge that an authenticator has answered. The row exists until the challenge would have expired, so that
 * no challenge is answered twice.
 */
export interface UsedChallengeRow {
  digest: string;
  expiresAt: number;
}

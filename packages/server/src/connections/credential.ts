import type { Secret } from '../secret.js';

/**
 * Decrypted credential of an account. The account's `version` grows with every change, so it tells which of two
 * credentials is newer.
 */
export interface Credential {
  readonly secret: Secret;
  readonly version: number;
  /** Name of a secondary credential; absent for the account's primary credential. */
  readonly name?: string;
  /** Present if the credential was refreshed during this call, so that the caller can report the wait. */
  readonly isRenewed?: true;
}

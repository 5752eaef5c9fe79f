import type { Secret } from '../secret.js';

/**
 * Decrypted credential of an account. The account's `version` grows with every change, so it shows which of two
 * credentials is newer.
 */
export interface Credential {
  readonly secret: Secret;
  readonly version: number;
  /** Name of a secondary credential; absent for the account's primary credential. */
  readonly name?: string;
  /** True if this caller had to wait for a token refresh. The trace of the upstream call records that. */
  readonly isRenewed?: true;
}

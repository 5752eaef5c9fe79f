import type { Secret } from '../secret.js';

/** A credential of one version of the account. */
export interface Credential {
  readonly secret: Secret;
  readonly version: number;
  /** Name of a secondary credential; absent for the primary one. */
  readonly name?: string;
  /** Present if the caller waited for a renewal. */
  readonly isRenewed?: true;
}

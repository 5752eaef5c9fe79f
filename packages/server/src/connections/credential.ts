import type { Secret } from '../secret.js';

/** A credential as it stands at one version of the account. */
export interface Credential {
  readonly secret: Secret;
  readonly version: number;
  /** Of a further credential; absent for the account's own. */
  readonly name?: string;
  /** Whoever asked for it had to wait until it was renewed. */
  readonly isRenewed?: true;
}

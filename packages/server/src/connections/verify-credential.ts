import type { Secret } from '../secret.js';
import type { Addresses } from './connection-addresses.js';

/** A credential that is not stored yet, and where it would be sent. */
export interface GivenCredential {
  readonly applicationId: string;
  /** Id of the connector in the catalogue. */
  readonly connector: string;
  readonly addresses: Addresses;
  readonly secret: Secret;
  /** Name of a secondary credential. Default: the account's own credential. */
  readonly name?: string;
}

/** Answer of the upstream about a credential. `unknown`: no request can tell, or the upstream did not say. */
export type CredentialTrial =
  | { readonly outcome: 'accepted'; readonly body: unknown }
  | { readonly outcome: 'refused'; readonly status: number; readonly advice: string | undefined }
  | { readonly outcome: 'unknown' };

export type VerifyCredential = (given: GivenCredential) => Promise<CredentialTrial>;

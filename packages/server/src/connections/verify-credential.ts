import type { Secret } from '../secret.js';
import type { Addresses } from './connection-addresses.js';

/** Credential that is tested before it is stored, with the upstream URLs for the test. */
export interface GivenCredential {
  readonly applicationId: string;
  /** Id of the account's connector in the catalogue. */
  readonly connector: string;
  readonly addresses: Addresses;
  readonly secret: Secret;
  /** Name of a secondary credential. Absent for the account's primary credential. */
  readonly name?: string;
}

/**
 * Result of testing a credential at the upstream. `unknown`: no request can test the credential, or the upstream gave
 * no clear response.
 */
export type CredentialTrial =
  | { readonly outcome: 'accepted'; readonly body: unknown }
  | { readonly outcome: 'refused'; readonly status: number; readonly advice: string | undefined }
  | { readonly outcome: 'unknown' };

export type VerifyCredential = (given: GivenCredential) => Promise<CredentialTrial>;

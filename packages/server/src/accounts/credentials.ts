import type { ResolvedAccount } from './resolve.js';
import type { Secret } from './secret.js';

/** A credential as it stands at one version of the account. */
export interface Credential {
  readonly secret: Secret;
  readonly version: number;
}

export interface Credentials {
  /** The account's credential, refreshed first when it is about to expire. Throws account_not_authorized or unavailable. */
  current(account: ResolvedAccount): Promise<Credential>;
  /** A newer credential after the upstream answered 401 to `rejected`; `undefined` when there is none to be had. */
  renew(account: ResolvedAccount, rejected: Credential): Promise<Credential | undefined>;
}

import { ServiceError } from '../errors.js';
import { REVOCATION_OUTCOMES, type RevocationOutcome } from '../names/status-reasons.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AccountRow, ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import type { DescribeOAuth } from './connection-oauth.js';
import { type Connectors, findConnector, keyField } from './connector.js';
import { tokenPlace } from './tokens.js';

export interface RevokeParts {
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly vault: Vault;
  readonly oauth: OAuth;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** What became of the account's access upstream; `failed: ` is followed by the reason. */
export type Revoked = 'revoked' | 'no_revocation_endpoint' | 'nothing_to_revoke' | `failed: ${string}`;

/** The same without the reason. */
export const outcomeOf = (revoked: Revoked): RevocationOutcome =>
  REVOCATION_OUTCOMES.find((outcome) => outcome === revoked) ?? 'failed';

/** Ends the account's access upstream where that can be done, and never throws: what follows must happen in any case. */
export type Revoke = (
  connection: ConnectionRow,
  account: AccountRow,
  /** `isAway`: the upstream has answered nothing of the kind for a while, and is not asked. */
  options?: { readonly isAway?: boolean },
) => Promise<Revoked>;

const NOT_ASKED: Revoked =
  'failed: the upstream was away for other accounts, and was not asked for this one.';

const WAITS_MS = [0, 250, 1000];

const failed = (error: unknown): Revoked =>
  error instanceof OAuthError || error instanceof ServiceError
    ? `failed: ${error.message}`
    : 'failed: its token cannot be read.';

export function createRevoke({ connectors, describeOAuth, vault, oauth, wait }: RevokeParts): Revoke {
  async function prepare(connection: ConnectionRow, account: AccountRow) {
    const column = account.refreshToken === null ? 'access_token' : 'refresh_token';
    const sealed = account.refreshToken ?? account.accessToken;
    if (sealed === null) return 'nothing_to_revoke';
    if (keyField(findConnector(connectors, connection.connector).auth.type) !== undefined)
      return 'no_revocation_endpoint';
    const { server, client, issuer } = await describeOAuth(connection);
    if (server.revocationEndpoint === undefined || account.issuer !== issuer) return 'no_revocation_endpoint';
    const [named, token] = [await client(), await vault.open(tokenPlace(account, column), sealed)];
    return () => oauth.revoke(server, named, token.reveal());
  }

  // Only an outage is worth another try; a refusal stays one.
  async function tryThreeTimes(request: () => Promise<void>): Promise<Revoked> {
    let outcome: Revoked = 'nothing_to_revoke';
    for (const ms of WAITS_MS) {
      if (ms > 0) await wait(ms);
      const error = await request().then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
      if (error === undefined) return 'revoked';
      outcome = failed(error.thrown);
      if (!(error.thrown instanceof OAuthError && error.thrown.failure === 'unavailable')) return outcome;
    }
    return outcome;
  }

  return async (connection, account, { isAway = false } = {}) => {
    // A connection or secret that cannot be used any more leaves nothing to revoke with.
    const prepared = await prepare(connection, account).catch(failed);
    if (typeof prepared === 'string') return prepared;
    return isAway ? NOT_ASKED : tryThreeTimes(prepared);
  };
}

import { ServiceError } from '../errors.js';
import { REVOCATION_OUTCOMES, type RevocationOutcome } from '../names/status-reasons.js';
import type { OAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AccountRow, ConnectionRow } from '../storage/schema.js';
import type { Vault } from '../vault/vault.js';
import type { DescribeOAuth } from './connection-oauth.js';
import { type Connectors, findConnector, keyField } from './connector.js';
import { tokenLocation } from './token-columns.js';

export interface RevokeParts {
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly vault: Vault;
  readonly oauth: OAuth;
  /** Function that waits between retries. Resolves after the given milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Outcome of revoking a token at the upstream. For a failure, it includes the reason. */
export type Revoked = 'revoked' | 'no_revocation_endpoint' | 'nothing_to_revoke' | `failed: ${string}`;

/** Returns the outcome of a revocation at the upstream, without the reason of a failure. */
export const outcomeOf = (revoked: Revoked): RevocationOutcome =>
  REVOCATION_OUTCOMES.find((outcome) => outcome === revoked) ?? 'failed';

const NOT_SENT: Revoked =
  'failed: no request was sent, because the upstream did not respond for other accounts. Revoke the access in the settings of the upstream.';

const WAITS_MS = [0, 250, 1000];

const failed = (error: unknown): Revoked =>
  error instanceof OAuthError || error instanceof ServiceError
    ? `failed: ${error.message}`
    : 'failed: the stored token cannot be decrypted. Revoke the access in the settings of the upstream.';

export function createRevoke({ connectors, describeOAuth, vault, oauth, wait }: RevokeParts) {
  async function prepare(connection: ConnectionRow, account: AccountRow) {
    const column = account.refreshToken === null ? 'access_token' : 'refresh_token';
    const sealed = account.refreshToken ?? account.accessToken;
    if (sealed === null) return 'nothing_to_revoke';
    if (keyField(findConnector(connectors, connection.connector).auth.type) !== undefined)
      return 'no_revocation_endpoint';
    const { server, client, issuer } = await describeOAuth(connection);
    if (server.revocationEndpoint === undefined || account.issuer !== issuer) return 'no_revocation_endpoint';
    const [oauthClient, token] = [await client(), await vault.open(tokenLocation(account, column), sealed)];
    return () => oauth.revoke(server, oauthClient, token.reveal());
  }

  /**
   * Sends a revocation request up to three times. Retries only if the server is unavailable, because a refusal is
   * final.
   */
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

  /**
   * Revokes an account's token at the upstream if possible. Never rejects, because callers delete the token in any
   * case. `isAway`: true to send no request, because the upstream has been down for a while.
   */
  async function revoke(
    connection: ConnectionRow,
    account: AccountRow,
    { isAway = false }: { readonly isAway?: boolean } = {},
  ): Promise<Revoked> {
    // `prepare` fails, before any request is sent, if the connection is misconfigured or the token cannot be decrypted.
    const prepared = await prepare(connection, account).catch(failed);
    if (typeof prepared === 'string') return prepared;
    return isAway ? NOT_SENT : tryThreeTimes(prepared);
  }
  return revoke;
}

export type Revoke = ReturnType<typeof createRevoke>;

import type { OAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { AccountRow, ConnectionRow } from '../storage/schema.js';
import type { DescribeOAuth } from './connection-oauth.js';
import { type Connectors, findConnector, keyField } from './connector.js';
import { tokenPlace } from './tokens.js';
import type { Vault } from './vault.js';

export interface RevokeParts {
  readonly connectors: Connectors;
  readonly describeOAuth: DescribeOAuth;
  readonly vault: Vault;
  readonly oauth: OAuth;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** Ends the account's access upstream where that can be done, and never throws: what follows must happen in any case. */
export type Revoke = (connection: ConnectionRow, account: AccountRow) => Promise<void>;

const WAITS_MS = [0, 250, 1000];

export function createRevoke({ connectors, describeOAuth, vault, oauth, wait }: RevokeParts): Revoke {
  async function prepare(connection: ConnectionRow, account: AccountRow) {
    if (keyField(findConnector(connectors, connection.connector).auth.type) !== undefined) return undefined;
    const column = account.refreshToken === null ? 'access_token' : 'refresh_token';
    const sealed = account.refreshToken ?? account.accessToken;
    if (sealed === null) return undefined;
    const { server, client, issuer } = await describeOAuth(connection);
    if (server.revocationEndpoint === undefined || account.issuer !== issuer) return undefined;
    const [named, token] = [await client(), await vault.open(tokenPlace(account, column), sealed)];
    return () => oauth.revoke(server, named, token.reveal());
  }

  // Only an outage is worth another try; a refusal says that the token has ended already or never will.
  async function tryThreeTimes(request: () => Promise<void>): Promise<void> {
    for (const ms of WAITS_MS) {
      if (ms > 0) await wait(ms);
      const error = await request().catch((thrown: unknown) => thrown);
      if (!(error instanceof OAuthError && error.failure === 'unavailable')) return;
    }
  }

  return async (connection, account) => {
    // A connection or secret that cannot be used any more leaves nothing to revoke with.
    const request = await prepare(connection, account).catch(() => undefined);
    if (request) await tryThreeTimes(request);
  };
}

import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import type { OAuth } from '../oauth/oauth.js';
import type { Storage } from '../storage/storage.js';
import type { AuthorizedTokens } from './exchange-code.js';

export interface DiscardTokensParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly describeOAuth: DescribeOAuth;
  readonly oauth: OAuth;
}

export function createDiscardTokens({ storage, describeOAuth, oauth }: DiscardTokensParts) {
  /**
   * Finds the OAuth client and authorization server that issued the tokens. Returns `undefined` if the account was
   * deleted: the issuer is then unknown, because the connection may have been changed.
   */
  async function findUse(authorized: AuthorizedTokens): Promise<ConnectionOAuth | undefined> {
    const { applicationId, connectionId, accountId, issuer, tokenEndpoint } = authorized;
    const connection = await storage.connections.find(applicationId, connectionId);
    // Reads the account after the connection. While the account exists, the connection cannot change to another
    // authorization server.
    if (!connection || !(await storage.accounts.find(applicationId, accountId))) return undefined;
    const use = await describeOAuth(connection);
    return use.issuer === issuer && use.server.tokenEndpoint === tokenEndpoint ? use : undefined;
  }

  async function revoke(authorized: AuthorizedTokens, known: ConnectionOAuth | undefined): Promise<void> {
    const { subject, tokens } = authorized;
    // Some upstreams revoke all tokens of a user at once. That would disconnect another account of the same upstream
    // user.
    if (subject !== null && (await storage.accounts.hasSubject(authorized, { subject }))) return;
    const use = known ?? (await findUse(authorized));
    if (use?.server.revocationEndpoint === undefined) return;
    await oauth.revoke(use.server, await use.client(), tokens.refreshToken ?? tokens.accessToken);
  }

  /**
   * Revokes tokens that the service will not store, if their server supports revocation. Never throws, because
   * unrevoked tokens expire anyway. `use`: client and server that issued the tokens, if the caller knows them.
   */
  async function discardTokens(authorized: AuthorizedTokens, use?: ConnectionOAuth): Promise<void> {
    await revoke(authorized, use).catch(() => undefined);
  }
  return discardTokens;
}

export type DiscardTokens = ReturnType<typeof createDiscardTokens>;

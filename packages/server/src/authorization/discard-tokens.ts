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
  /** Gives `undefined` if the account was deleted, because its connection may have moved to another server since. */
  async function findUse(authorized: AuthorizedTokens): Promise<ConnectionOAuth | undefined> {
    const { applicationId, connectionId, accountId, issuer, tokenEndpoint } = authorized;
    const connection = await storage.connections.find(applicationId, connectionId);
    // The account is read second: a connection keeps its addresses as long as it has accounts.
    if (!connection || !(await storage.accounts.find(applicationId, accountId))) return undefined;
    const use = await describeOAuth(connection);
    return use.issuer === issuer && use.server.tokenEndpoint === tokenEndpoint ? use : undefined;
  }

  async function revoke(authorized: AuthorizedTokens, known: ConnectionOAuth | undefined): Promise<void> {
    const { subject, tokens } = authorized;
    // Some upstreams revoke all tokens of a user at once, which would end another account that works.
    if (subject !== null && (await storage.accounts.hasSubject(authorized, { subject }))) return;
    const use = known ?? (await findUse(authorized));
    if (use?.server.revocationEndpoint === undefined) return;
    await oauth.revoke(use.server, await use.client(), tokens.refreshToken ?? tokens.accessToken);
  }

  /**
   * Revokes tokens that are not stored, if their server can revoke. Never throws: unrevoked tokens expire. `use` is the
   * client and server that gave them, if the caller still has it.
   */
  async function discardTokens(authorized: AuthorizedTokens, use?: ConnectionOAuth): Promise<void> {
    await revoke(authorized, use).catch(() => undefined);
  }
  return discardTokens;
}

export type DiscardTokens = ReturnType<typeof createDiscardTokens>;

import type { ConnectionOAuth, DescribeOAuth } from '../connections/connection-oauth.js';
import type { OAuth } from '../oauth/oauth.js';
import type { Storage } from '../storage/storage.js';
import type { Granted } from './granted.js';

export interface DiscardTokensParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly describeOAuth: DescribeOAuth;
  readonly oauth: OAuth;
}

/**
 * Ends tokens that are not kept, where that can be done, and never throws: elsewhere they end by themselves. Without `use`,
 * which is what gave them, they are sent nowhere once their account is gone: its connection may have moved since.
 */
export type DiscardTokens = (granted: Granted, use?: ConnectionOAuth) => Promise<void>;

export function createDiscardTokens({ storage, describeOAuth, oauth }: DiscardTokensParts): DiscardTokens {
  async function find(granted: Granted): Promise<ConnectionOAuth | undefined> {
    const { applicationId, connectionId, accountId, issuer, tokenEndpoint } = granted;
    const connection = await storage.connections.find(applicationId, connectionId);
    // In this order: while there is the account, the connection keeps its addresses.
    if (!connection || !(await storage.accounts.find(applicationId, accountId))) return undefined;
    const use = await describeOAuth(connection);
    return use.issuer === issuer && use.server.tokenEndpoint === tokenEndpoint ? use : undefined;
  }

  async function revoke(granted: Granted, known: ConnectionOAuth | undefined): Promise<void> {
    const { subject, tokens } = granted;
    // Upstreams that revoke everything of a user at once would end an account that works, too.
    if (subject !== null && (await storage.accounts.hasSubject(granted, { subject }))) return;
    const use = known ?? (await find(granted));
    if (use?.server.revocationEndpoint === undefined) return;
    await oauth.revoke(use.server, await use.client(), tokens.refreshToken ?? tokens.accessToken);
  }

  return (granted, use) => revoke(granted, use).catch(() => undefined);
}

import type { OAuth } from '../oauth/oauth.js';
import type { Storage } from '../storage/storage.js';
import type { DescribeOAuth } from './connection-oauth.js';
import type { Granted } from './granted.js';

export interface DiscardTokensParts {
  readonly storage: Pick<Storage, 'connections' | 'accounts'>;
  readonly describeOAuth: DescribeOAuth;
  readonly oauth: OAuth;
}

/** Ends tokens that are not kept, where that can be done, and never throws: elsewhere they end by themselves. */
export type DiscardTokens = (granted: Granted) => Promise<void>;

export function createDiscardTokens({ storage, describeOAuth, oauth }: DiscardTokensParts): DiscardTokens {
  async function revoke(granted: Granted): Promise<void> {
    const { applicationId, connectionId, subject, issuer, tokenEndpoint, tokens } = granted;
    // Upstreams that revoke everything of a user at once would end an account that works, too.
    if (subject !== null && (await storage.accounts.hasSubject(granted, { subject }))) return;
    const connection = await storage.connections.find(applicationId, connectionId);
    if (!connection) return;
    const use = await describeOAuth(connection);
    const isSameServer = use.issuer === issuer && use.server.tokenEndpoint === tokenEndpoint;
    if (!isSameServer || use.server.revocationEndpoint === undefined) return;
    await oauth.revoke(use.server, await use.client(), tokens.refreshToken ?? tokens.accessToken);
  }

  return (granted) => revoke(granted).catch(() => undefined);
}

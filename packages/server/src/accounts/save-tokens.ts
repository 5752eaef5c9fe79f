import { ServiceError } from '../errors.js';
import type { OAuth, Tokens } from '../oauth/oauth.js';
import type { Account } from '../storage/accounts-table.js';
import type { AuthorizationFlowRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { type Approval, approvalOf } from './approval.js';
import type { ConnectionOAuth } from './connection-oauth.js';
import type { Connectors } from './connector.js';
import { sealTokens } from './tokens.js';
import type { Vault } from './vault.js';

export interface SaveTokensParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts'>;
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly oauth: OAuth;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** What the exchange of a flow's code gave. */
export interface Grant {
  readonly flow: AuthorizationFlowRow;
  readonly use: ConnectionOAuth;
  readonly tokens: Tokens;
}

/** Makes the account of a completed flow authorized. Throws conflict when the tokens are another user's. */
export type SaveTokens = (grant: Grant) => Promise<Approval>;

// A refresh that runs at the same time may change the account once or twice; the approval is newer and wins.
const ATTEMPTS = 5;

export function createSaveTokens(parts: SaveTokensParts): SaveTokens {
  const { storage, vault, oauth, cache, now } = parts;

  // Tokens that are not kept must not stay alive upstream; where they cannot be revoked they end by themselves.
  async function discard({ use: { server, client }, tokens }: Grant): Promise<void> {
    if (server.revocationEndpoint === undefined) return;
    await oauth
      .revoke(server, await client(), tokens.refreshToken ?? tokens.accessToken)
      .catch(() => undefined);
  }

  /** Rule O8: who is known to be somebody stays that somebody. */
  async function checkSubject(
    account: Account,
    flow: AuthorizationFlowRow,
    { subject }: { subject: string | null },
  ) {
    if (account.subject === null || account.subject === subject || flow.replaceSubject === 1) return;
    const { applicationName, connectorTitle, identifier } = await approvalOf(parts, account);
    throw new ServiceError(
      'conflict',
      `"${identifier}" is connected as another user of ${connectorTitle}. Sign in to ${connectorTitle} as that user, or ask ${applicationName} for a link that replaces it.`,
    );
  }

  async function save({ flow, use, tokens }: Grant): Promise<Account> {
    const subject = use.subjectIn(tokens.answer);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const account = await storage.accounts.find(flow.applicationId, flow.accountId);
      if (!account) break;
      await checkSubject(account, flow, { subject });
      // Without a new refresh token the old one is good only when it is certain to be the same user's.
      const isSameUser = subject !== null && subject === account.subject;
      const sealed = await sealTokens(vault, account, { tokens, now: now() });
      const kept = { refreshToken: isSameUser ? account.refreshToken : null, scopes: flow.scopes };
      const changed = await storage.accounts.change(account, {
        ...kept,
        ...sealed,
        subject,
        wantedScopes: null,
        issuer: use.issuer,
      });
      cache.drop(account.id);
      if (changed) return { ...account, ...changed };
    }
    throw new ServiceError(
      'conflict',
      'The account was changed during the approval. Go back to the application and start again.',
    );
  }

  return async (grant) => {
    const account = await save(grant).catch(async (error: unknown) => {
      await discard(grant);
      throw error;
    });
    return approvalOf(parts, account);
  };
}

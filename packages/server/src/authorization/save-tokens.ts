import type { AccountCache } from '../connections/account-cache.js';
import { sealTokens } from '../connections/tokens.js';
import { ServiceError } from '../errors.js';
import type { Commit, RecordEvent } from '../records/commit.js';
import type { Account, AccountChange } from '../storage/accounts-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { type ApprovalParts, approvalOf } from './approval.js';
import { START_AGAIN } from './consume-flow.js';
import type { Granted } from './granted.js';

export interface SaveTokensParts extends ApprovalParts {
  readonly storage: Pick<Storage, 'applications' | 'accounts'>;
  readonly vault: Vault;
  readonly commit: Commit;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/** What else must happen with the change of the account, or must keep it from happening by an error. */
export type Together = (tables: Tables, tell: RecordEvent) => Promise<void>;

/** Makes the account authorized. Throws conflict when the tokens are another user's. */
export type SaveTokens = (granted: Granted, together?: Together) => Promise<Account>;

// A refresh that runs at the same time may change the account once or twice; the approval is newer and wins.
const ATTEMPTS = 5;

/** Rule O8: who is known to be somebody stays that somebody. */
export async function checkSubject(
  parts: ApprovalParts,
  account: Account,
  { subject, replaceSubject }: Pick<Granted, 'subject' | 'replaceSubject'>,
): Promise<void> {
  if (account.subject === null || account.subject === subject || replaceSubject === 1) return;
  const { applicationName, connectorTitle, identifier } = await approvalOf(parts, account);
  throw new ServiceError(
    'conflict',
    `"${identifier}" is connected as another user of ${connectorTitle}. Sign in to ${connectorTitle} as that user, or ask ${applicationName} for a link that replaces it.`,
    { reason: 'other_subject' },
  );
}

export function createSaveTokens(parts: SaveTokensParts): SaveTokens {
  const { storage, vault, commit, cache, now } = parts;

  async function changeFor(account: Account, granted: Granted): Promise<AccountChange> {
    const { tokens, subject, issuer, scopes, issuedAt } = granted;
    // Without a new refresh token the old one is good only when it is certain to be the same user's.
    const isSameUser = subject !== null && subject === account.subject;
    return {
      refreshToken: isSameUser ? account.refreshToken : null,
      scopes,
      ...(await sealTokens(vault, account, { tokens, now: issuedAt })),
      subject,
      wantedScopes: null,
      issuer,
      updatedAt: now(),
    };
  }

  return async (granted, together = async () => {}) => {
    const { applicationId, accountId } = granted;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const account = await storage.accounts.find(applicationId, accountId);
      if (!account) break;
      await checkSubject(parts, account, granted);
      const change = await changeFor(account, granted);
      const changed = await commit(async (tables, tell) => {
        const row = await tables.accounts.change(account, change);
        if (!row) return undefined;
        await together(tables, tell);
        tell({ action: 'account.authorized', applicationId, object: accountId });
        return row;
      });
      cache.drop(accountId);
      if (changed) return { ...account, ...changed };
    }
    throw new ServiceError('conflict', `The account was changed during the approval. ${START_AGAIN}`);
  };
}

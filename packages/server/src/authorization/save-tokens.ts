import type { AccountCache } from '../connections/account-cache.js';
import { sealCredentials } from '../connections/secondary-credentials.js';
import { sealTokens } from '../connections/token-columns.js';
import type { TokenWriter } from '../connections/token-writer.js';
import { ServiceError } from '../errors.js';
import type { Audit, Commit } from '../records/commit.js';
import type { AccountChange, StoredAccount } from '../storage/accounts-table.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import type { PartiesLookup } from './account-parties.js';
import { START_AGAIN } from './consent-errors.js';
import type { AuthorizedTokens } from './exchange-code.js';

export interface SaveTokensParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly parties: PartiesLookup;
  readonly vault: Vault;
  readonly tokenWriter: Pick<TokenWriter, 'flush'>;
  readonly commit: Commit;
  readonly cache: AccountCache;
  readonly now: () => number;
}

/**
 * Further database changes in the transaction that stores the tokens of a consent. If they throw, the whole transaction
 * is rolled back.
 */
export type Together = (tables: Tables, audit: Audit) => Promise<void>;

// Maximum attempts to store the tokens of a consent. A concurrent token refresh may change the account once or twice.
// The new consent then overwrites the refreshed tokens.
const ATTEMPTS = 5;

/**
 * Throws conflict if the tokens belong to another upstream user than the account, unless the authorization link allows
 * replacing the user (rule O8 in security-rules.md).
 */
export async function checkSubject(
  parties: PartiesLookup,
  account: StoredAccount,
  { subject, replaceSubject }: Pick<AuthorizedTokens, 'subject' | 'replaceSubject'>,
): Promise<void> {
  if (account.subject === null || account.subject === subject || replaceSubject === 1) return;
  const { applicationName, connectorTitle, identifier } = await parties.ofAccount(account);
  throw new ServiceError(
    'conflict',
    `The user "${identifier}" is already connected with another ${connectorTitle} account. Sign in to ${connectorTitle} with that account, or ask ${applicationName} for a link that replaces that account.`,
    { reason: 'other_subject' },
  );
}

/** Writes to the audit log that the account's secrets have changed, if the user entered a key. */
function recordKey({ applicationId, accountId, tokens }: AuthorizedTokens, audit: Audit): void {
  if (tokens.entered === undefined) return;
  const reason = tokens.entered.isVerified ? {} : { reason: 'not_verified' };
  audit({ action: 'account.secrets_changed', applicationId, object: accountId, ...reason });
}

export function createSaveTokens(parts: SaveTokensParts) {
  const { storage, parties, vault, tokenWriter, commit, cache, now } = parts;

  async function changeFor(account: StoredAccount, authorized: AuthorizedTokens): Promise<AccountChange> {
    const { tokens, subject, issuer, connectedAs, scopes, issuedAt } = authorized;
    // A token response without a refresh token keeps the account's stored refresh token only if both certainly belong
    // to one upstream user.
    const isSameUser = subject !== null && subject === account.subject;
    return {
      refreshToken: isSameUser ? account.refreshToken : null,
      scopes,
      ...(await sealTokens(vault, account, { tokens, now: issuedAt })),
      subject,
      wantedScopes: null,
      issuer,
      connectedAs,
      // Clears `issuedAt` for a key that the user entered, because only a token response has a time of issue.
      ...(tokens.entered && {
        issuedAt: null,
        untestedSince: tokens.entered.isVerified ? null : now(),
        credentials: await sealCredentials(vault, account, tokens.entered.credentials),
      }),
      updatedAt: now(),
    };
  }

  /**
   * Stores the tokens of a consent and marks the account as authorized. Throws conflict for tokens of another upstream
   * user.
   */
  async function saveTokens(
    authorized: AuthorizedTokens,
    together: Together = async () => {},
  ): Promise<StoredAccount> {
    const { applicationId, accountId } = authorized;
    // A consent without a refresh token keeps the account's one, which must be the newest, although it is only on disk.
    await tokenWriter.flush(accountId);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const account = await storage.accounts.find(applicationId, accountId);
      if (!account) break;
      await checkSubject(parties, account, authorized);
      const change = await changeFor(account, authorized);
      const changed = await commit(async (tables, audit) => {
        const row = await tables.accounts.change(account, change);
        if (!row) return undefined;
        await together(tables, audit);
        recordKey(authorized, audit);
        audit({ action: 'account.authorized', applicationId, object: accountId });
        return row;
      });
      cache.drop(accountId);
      if (changed) return { ...account, ...changed };
    }
    throw new ServiceError('conflict', `The account was changed during the consent. ${START_AGAIN}`);
  }
  return saveTokens;
}

export type SaveTokens = ReturnType<typeof createSaveTokens>;

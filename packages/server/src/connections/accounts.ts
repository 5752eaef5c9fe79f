import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { RevocationOutcome } from '../names/status-reasons.js';
import { checkIfMatch, editConflict } from '../records/check-if-match.js';
import type { Commit } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import { type Account, toAccount } from './account.js';
import { type AccountDetails, checkDetails, detailsIn, termsOf, toColumns } from './account-details.js';
import { checkIdentifier, checkLabel, userOf } from './account-name.js';
import { type AccountSecrets, readKey, type SetSecrets } from './account-secrets.js';
import type { Connectors } from './connector.js';
import {
  type AccountName,
  accountNotFound,
  findAccount,
  findAccountByName,
  findConnection,
} from './find-account.js';
import type { ImportedTokens } from './given-tokens.js';
import type { ImportTokens } from './import-tokens.js';
import type { InsertAccount } from './insert-account.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf } from './revoke.js';
import type { RevokeAccount } from './revoke-account.js';
import type { TrySecrets } from './try-secrets.js';

export interface AccountsParts {
  readonly storage: Pick<Storage, 'accounts' | 'auditEvents' | 'connections'>;
  readonly connectors: Connectors;
  readonly trySecrets: TrySecrets;
  readonly setSecrets: SetSecrets;
  readonly importTokens: ImportTokens;
  readonly insertAccount: InsertAccount;
  readonly removeAccount: RemoveAccount;
  readonly revokeAccount: RevokeAccount;
  readonly caller: CurrentCaller;
  readonly commit: Commit;
  readonly now: () => number;
}

export interface GotAccount {
  readonly account: Account;
  readonly created: boolean;
}

/** Account whose access was revoked, with the outcome of the revocation at the upstream. */
export interface EndedAccount extends Account {
  readonly upstream: RevocationOutcome;
}

/** Input for creating or changing an account: its secrets or OAuth tokens, and the application's own data about it. */
export type AccountRequest = AccountSecrets & ImportedTokens & Partial<AccountDetails>;

const editOf = (account: StoredAccount, ifMatch: string | undefined) => ({
  ifMatch,
  etag: toAccount(account).etag,
  applicationId: account.applicationId,
  object: account.id,
  action: 'account.details_changed' as const,
  called: `The account of "${account.identifier}"`,
});

const isSubset = (columns: object, account: StoredAccount): boolean =>
  Object.entries(columns).every(([name, value]) => account[name as keyof StoredAccount] === value);

/** Creates the operations on an application's connected accounts. */
export function createAccounts(parts: AccountsParts) {
  const {
    storage,
    connectors,
    trySecrets,
    setSecrets,
    importTokens,
    insertAccount,
    removeAccount,
    revokeAccount,
    caller,
    commit,
    now,
  } = parts;

  /** Replaces the given metadata and tags of an account. Absent ones stay unchanged. */
  async function setDetails(
    account: StoredAccount,
    given: Partial<AccountDetails>,
    ifMatch: string | undefined,
  ): Promise<StoredAccount> {
    const { applicationId, id } = account;
    const columns = toColumns(given);
    if (isSubset(columns, account)) return account;
    const changed = await commit(async (tables, audit) => {
      const before = ifMatch === undefined ? undefined : account;
      const row = await tables.accounts.setDetails(account, { ...columns, updatedAt: now() }, before);
      if (!row) throw before ? await editConflict(tables, editOf(account, ifMatch)) : accountNotFound(id);
      await tables.accountTerms.replace(row, termsOf({ ...detailsIn(row), account: row.account }));
      audit({ action: 'account.details_changed', applicationId, object: id });
      return row;
    });
    return { ...account, ...changed };
  }

  async function end(account: StoredAccount): Promise<EndedAccount> {
    const isOwn = caller().actor === account.applicationId;
    const revoked = await revokeAccount(account, isOwn ? 'revoked_by_application' : 'revoked_by_operator');
    if (revoked) return { ...toAccount(revoked.account), upstream: outcomeOf(revoked.upstream) };
    throw accountNotFound(account.id);
  }

  /**
   * Returns the account of this name, or creates it. A key makes the account authorized at once, unless the upstream
   * refuses the key. For an existing account, the given key, tokens, metadata and tags replace the stored ones. With
   * `ifMatch`, nothing is created, and another ETag of the existing account throws conflict.
   */
  async function getOrCreate(
    applicationId: string,
    name: AccountName,
    { metadata, tags, ...secrets }: AccountRequest = {},
    ifMatch?: string,
  ): Promise<GotAccount> {
    const details = { ...(metadata && { metadata }), ...(tags && { tags }) };
    checkDetails(details);
    const connection = await findConnection(storage, applicationId, name.connectionName);
    const given = await importTokens.read(connection, secrets);
    const key = readKey(connectors, connection, secrets);
    const labelled = {
      ...name,
      identifier: checkIdentifier(name.identifier),
      account: checkLabel(name.account),
    };
    const tried = await trySecrets(connection, key, secrets);
    const known = await storage.accounts.findByName(applicationId, labelled);
    if (ifMatch !== undefined) {
      if (!known)
        throw new ServiceError(
          'account_not_found',
          `The connection "${name.connectionName}" has no account of the user ${userOf(labelled)}, so no ETag matches. Send the request without If-Match to create the account.`,
        );
      await checkIfMatch(storage, editOf(known, ifMatch));
    }
    const draft = known ? undefined : insertAccount.prepare(connection, labelled, details);
    if (draft && given) {
      const imported = await importTokens.create(draft, given);
      if (imported) return { account: toAccount(imported), created: true };
    }
    const inserted = draft && !given ? await insertAccount.insert(draft) : undefined;
    const created = inserted !== undefined;
    const account = known ?? inserted ?? (await findAccountByName(storage, applicationId, labelled));
    // Stores the tokens first, because a refused import must change nothing.
    const current = given ? await importTokens.run({ account, connection, given }) : account;
    const before = { metadata: account.metadata, tags: account.tags };
    const described = await setDetails({ ...current, ...before }, details, ifMatch);
    if (given) return { account: toAccount(described), created };
    return { account: toAccount(await setSecrets(described, key, { ...secrets, ...tried })), created };
  }

  async function get(applicationId: string, name: AccountName): Promise<Account> {
    return toAccount(await findAccountByName(storage, applicationId, name));
  }

  async function getById(applicationId: string, id: string): Promise<Account> {
    return toAccount(await findAccount(storage, applicationId, id));
  }

  /** Revokes the account's access at the upstream if possible, and deletes the account in any case. */
  async function remove(applicationId: string, name: AccountName): Promise<void> {
    await removeAccount(await findAccountByName(storage, applicationId, name));
  }

  async function deleteById(applicationId: string, id: string): Promise<void> {
    await removeAccount(await findAccount(storage, applicationId, id));
  }

  /**
   * Revokes the account's access at the upstream if possible, and deletes its secrets. The account stays, and its user
   * can consent again.
   */
  async function revoke(applicationId: string, name: AccountName): Promise<EndedAccount> {
    return end(await findAccountByName(storage, applicationId, name));
  }

  async function revokeById(applicationId: string, id: string): Promise<EndedAccount> {
    return end(await findAccount(storage, applicationId, id));
  }

  return {
    getOrCreate,
    get,
    getById,
    delete: remove,
    deleteById,
    revoke,
    revokeById,
  };
}

export type Accounts = ReturnType<typeof createAccounts>;

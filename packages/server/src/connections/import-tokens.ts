import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import { type AuditEvent, type Commit, IMPORT_FAILED } from '../records/commit.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Lock } from '../storage/lock.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import type { Digest } from '../vault/pepper.js';
import type { Seal, Vault } from '../vault/vault.js';
import type { AccountCache } from './account-cache.js';
import type { AccountSecrets } from './account-secrets.js';
import type { ConnectionMarks } from './connection-marks.js';
import type { Connectors } from './connector.js';
import { findAccount, findApplication } from './find-account.js';
import { type GivenTokens, type ImportedTokens, readTokens } from './given-tokens.js';
import { type InsertAccount, joinConnection, type NewAccount } from './insert-account.js';
import type { ProvenTokens, ProveTokens } from './prove-tokens.js';
import { tokenColumns } from './token-columns.js';
import type { Renewal, TokenWriter } from './token-writer.js';

export interface ImportTokensParts {
  readonly storage: Pick<Storage, 'accounts' | 'applications'>;
  readonly connectors: Connectors;
  readonly proveTokens: ProveTokens;
  readonly insertAccount: Pick<InsertAccount, 'insert'>;
  readonly tokenWriter: Pick<TokenWriter, 'write' | 'flush'>;
  readonly marks: Pick<ConnectionMarks, 'accept'>;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly caller: CurrentCaller;
  readonly commit: Commit;
  readonly lock: Lock;
  readonly cache: Pick<AccountCache, 'drop'>;
}

interface Import {
  readonly account: StoredAccount;
  readonly connection: ConnectionRow;
  readonly given: GivenTokens;
}

type Changes = Pick<Renewal, 'columns'> & { readonly events: readonly AuditEvent[] };

const changedMeanwhile = () =>
  new ServiceError(
    'conflict',
    'Another request changed the account at the same time, so the tokens were not stored. Send the tokens again.',
  );

const notAllowed = (applicationId: string) =>
  new ServiceError(
    'not_permitted',
    `This application is not allowed to import tokens. Ask an operator to allow it in the settings of the application, or with \`svc-server apps change ${applicationId} --allow-token-import\`.`,
  );

/** Creates the import of OAuth tokens that an application already has. */
export function createImportTokens(parts: ImportTokensParts) {
  const { storage, connectors, proveTokens, insertAccount, tokenWriter, marks, vault } = parts;
  const { digest, caller, commit, lock, cache } = parts;

  /**
   * Returns the tokens of a request, or `undefined` if it has none. Throws not_permitted unless an operator allows the
   * application to import tokens, and invalid_request for tokens that the connector does not use.
   */
  async function read(
    connection: ConnectionRow,
    given: AccountSecrets & ImportedTokens,
  ): Promise<GivenTokens | undefined> {
    const tokens = readTokens(connectors, connection, given);
    if (tokens === undefined) return undefined;
    const { id, allowTokenImport } = await findApplication(storage, connection.applicationId);
    if (allowTokenImport !== 1) throw notAllowed(id);
    return tokens;
  }

  const digestOf = ({ id }: StoredAccount, { refreshToken, accessToken = '' }: GivenTokens): string =>
    digest('imported token', `${id} ${refreshToken ?? accessToken}`);

  /**
   * True if an earlier import of the same tokens succeeded. The tokens may have been refreshed since then. The imported
   * refresh token must not be sent again, because an upstream that detects reuse would end the access.
   */
  const isRepeated = (account: StoredAccount, given: GivenTokens): boolean =>
    account.status === 'authorized' &&
    account.importedToken !== null &&
    isSame(account.importedToken, digestOf(account, given));

  function eventsOf({ applicationId, id: object, status }: StoredAccount, reason: string): AuditEvent[] {
    const event = { applicationId, object, caller: caller() };
    return [
      { ...event, action: 'account.tokens_imported', reason },
      ...(status === 'authorized' ? [] : [{ ...event, action: 'account.authorized' as const }]),
    ];
  }

  function changesOf(
    seal: Seal,
    { account, given }: Import,
    { tokens, proof, issuer, subject, connectedAs, issuedAt }: ProvenTokens,
  ): Changes {
    const columns = {
      refreshToken: null,
      ...tokenColumns(seal, account, { tokens, now: issuedAt }),
      issuer,
      subject,
      connectedAs,
      wantedScopes: null,
      importedToken: digestOf(account, given),
    };
    return { columns, events: eventsOf(account, proof) };
  }

  /**
   * Stores tokens that the upstream accepted in its verify request. If storing fails, the application can send the same
   * tokens again, because they were not refreshed.
   */
  async function storeVerified(account: StoredAccount, { columns, events }: Changes): Promise<StoredAccount> {
    const changed = await commit(async (tables, audit) => {
      const row = await tables.accounts.change(account, columns);
      if (row) for (const event of events) audit(event);
      return row;
    });
    cache.drop(account.id);
    if (changed) return { ...account, ...changed };
    throw changedMeanwhile();
  }

  /**
   * Stores tokens that came from a refresh, in the database and on disk until the database accepts them. The
   * application cannot send the refresh token again, because the refresh may have used it up (rule R5 in
   * security-rules.md).
   */
  function storeRenewed(
    account: StoredAccount,
    { columns, events }: Changes,
    seal: Seal,
  ): Promise<StoredAccount> {
    const { applicationId, id, version, issuedAt: replaces } = account;
    return tokenWriter.write(account, { applicationId, id, version, replaces, columns, events }, seal);
  }

  /** Tests imported tokens at the upstream with `prove` and stores them. The caller has the account's lock. */
  async function proveAndStore(trial: Import, prove: (trial: Import) => Promise<ProvenTokens>) {
    const { account, connection } = trial;
    const seal = await vault.prepare(account.applicationId);
    const proven = await prove(trial);
    const changes = changesOf(seal, trial, proven);
    // New tokens from a refresh are stored before anything else happens (rule R3 in security-rules.md).
    const stored =
      proven.proof === 'verify'
        ? await storeVerified(account, changes)
        : await storeRenewed(account, changes, seal);
    if (proven.accepted) await marks.accept(connection, proven.accepted);
    return stored;
  }

  // Runs work under the account's lock, after a running refresh or import has ended. Otherwise both would use the same
  // refresh token.
  const lockAccount = <T>(
    { id, applicationId }: Pick<StoredAccount, 'id' | 'applicationId'>,
    work: () => Promise<T>,
  ) => lock(id, work, applicationId);

  async function removeCreated({ applicationId, id }: StoredAccount): Promise<void> {
    await commit(async (tables, audit) => {
      const account = await tables.accounts.find(applicationId, id);
      if (account?.status !== 'unauthorized' || !(await tables.accounts.delete(account))) return;
      audit({
        action: 'account.deleted',
        applicationId,
        object: id,
        reason: IMPORT_FAILED,
        deleted: account,
      });
    });
  }

  /**
   * Tests imported tokens at the upstream and stores them in an existing account. A repeated or failed import changes
   * nothing.
   */
  async function run({ account: known, connection, given }: Import): Promise<StoredAccount> {
    if (isRepeated(known, given)) return known;
    return lockAccount(known, async () => {
      await tokenWriter.flush(known.id);
      const account = await findAccount(storage, known.applicationId, known.id);
      if (isRepeated(account, given)) return account;
      return proveAndStore({ account, connection, given }, proveTokens.prove);
    });
  }

  /** Creates an account and tests its imported tokens by a refresh. If the refresh fails, deletes the account. */
  function createByRefresh(draft: NewAccount, given: GivenTokens): Promise<StoredAccount | undefined> {
    return lockAccount(draft.row, async () => {
      const account = await insertAccount.insert(draft);
      if (account === undefined) return undefined;
      try {
        return await proveAndStore({ account, connection: draft.connection, given }, proveTokens.refresh);
      } catch (error) {
        await removeCreated(account);
        throw error;
      }
    });
  }

  /**
   * Creates an account with imported tokens that the upstream accepts. A failed import creates nothing. Resolves to
   * `undefined` if another request created the account meanwhile.
   */
  async function create(draft: NewAccount, given: GivenTokens): Promise<StoredAccount | undefined> {
    const trial = { account: joinConnection(draft), connection: draft.connection, given };
    const proven = await proveTokens.verify(trial);
    // The account is stored before its tokens are refreshed. The new tokens must not be lost if this process is killed
    // (rule R5 in security-rules.md).
    if (proven === undefined) return createByRefresh(draft, given);
    const seal = await vault.prepare(trial.account.applicationId);
    return insertAccount.insert(draft, changesOf(seal, trial, proven));
  }

  return { read, run, create };
}

export type ImportTokens = ReturnType<typeof createImportTokens>;

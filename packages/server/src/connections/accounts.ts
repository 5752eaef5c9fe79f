import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { RevocationOutcome } from '../names/status-reasons.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { Account as StoredAccount } from '../storage/accounts-table.js';
import type { AccountStatus, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import { type Account, checkIdentifier, toAccount } from './account.js';
import { type AccountSecrets, readKey, type SetSecrets } from './account-secrets.js';
import type { Connectors } from './connector.js';
import {
  type AccountName,
  accountNotFound,
  findAccount,
  findAccountByName,
  findConnection,
} from './find-account.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf } from './revoke.js';
import type { RevokeAccount } from './revoke-account.js';
import type { TrySecrets } from './try-secrets.js';

export interface AccountsParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
  readonly trySecrets: TrySecrets;
  readonly setSecrets: SetSecrets;
  readonly removeAccount: RemoveAccount;
  readonly revokeAccount: RevokeAccount;
  readonly caller: CurrentCaller;
  readonly commit: Commit;
  readonly now: () => number;
  readonly random: Random;
}

export interface GotAccount {
  readonly account: Account;
  readonly created: boolean;
}

/** An account without access, and the outcome of the revocation upstream. */
export interface EndedAccount extends Account {
  readonly upstream: RevocationOutcome;
}

export interface AccountFilter extends PageRequest {
  readonly connectionName?: string | undefined;
  readonly status?: AccountStatus | undefined;
  /** Prefix of the identifiers. */
  readonly identifier?: string | undefined;
}

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The connection "${name}" was changed at the same time; send the request again.`,
  );

/** The connected accounts of an application. */
export function createAccounts(parts: AccountsParts) {
  const {
    storage,
    connectors,
    trySecrets,
    setSecrets,
    removeAccount,
    revokeAccount,
    caller,
    commit,
    now,
    random,
  } = parts;

  async function insert(connection: ConnectionRow, identifier: string): Promise<boolean> {
    const time = now();
    const { applicationId } = connection;
    const account = {
      id: newId('acct', random),
      applicationId,
      connectionId: connection.id,
      identifier,
      status: 'unauthorized' as const,
      statusReason: null,
      scopes: '[]',
      wantedScopes: null,
      subject: null,
      issuer: null,
      connectedAs: null,
      accessToken: null,
      refreshToken: null,
      credentials: '{}',
      issuedAt: null,
      expiresAt: null,
      version: 1,
      refreshStartedAt: null,
      usedAt: null,
      createdAt: time,
      updatedAt: time,
    };
    return commit(async (tables, tell) => {
      // A connection with accounts keeps its addresses, so no account may be inserted while they change.
      if (!(await tables.connections.lock(connection))) throw changedMeanwhile(connection);
      const created = await tables.accounts.insert(account);
      if (created) tell({ action: 'account.created', applicationId, object: account.id });
      return created;
    });
  }

  async function end(account: StoredAccount): Promise<EndedAccount> {
    const isOwn = caller().actor === account.applicationId;
    const revoked = await revokeAccount(account, isOwn ? 'revoked_by_application' : 'revoked_by_operator');
    if (revoked) return { ...toAccount(revoked.account), upstream: outcomeOf(revoked.upstream) };
    throw accountNotFound(account.id);
  }

  /** A key makes the account authorized at once, unless the upstream refuses it. A later key replaces it. */
  async function getOrCreate(
    applicationId: string,
    name: AccountName,
    secrets: AccountSecrets = {},
  ): Promise<GotAccount> {
    const connection = await findConnection(storage, applicationId, name.connectionName);
    const key = readKey(connectors, connection, secrets);
    const identifier = checkIdentifier(name.identifier);
    const tried = await trySecrets(connection, key, secrets);
    const known = await storage.accounts.findByIdentifier(applicationId, name.connectionName, identifier);
    const created = known === undefined && (await insert(connection, identifier));
    const account = known ?? (await findAccountByName(storage, applicationId, name));
    return { account: toAccount(await setSecrets(account, key, { ...secrets, ...tried })), created };
  }

  async function get(applicationId: string, name: AccountName): Promise<Account> {
    return toAccount(await findAccountByName(storage, applicationId, name));
  }

  async function getById(applicationId: string, id: string): Promise<Account> {
    return toAccount(await findAccount(storage, applicationId, id));
  }

  /** Sorted by identifier. */
  async function list(
    applicationId: string,
    { connectionName, status, identifier: prefix, ...page }: AccountFilter,
  ): Promise<Page<Account>> {
    const connectionId =
      connectionName === undefined
        ? undefined
        : (await findConnection(storage, applicationId, connectionName)).id;
    // Identifiers are unique within a connection, so its page tokens need no account id.
    const keys = connectionId === undefined ? 2 : 1;
    const [identifier, id = ''] = readPageToken(page, keys) ?? [];
    const rows = await storage.accounts.list(applicationId, {
      connectionId,
      status,
      prefix,
      after: identifier === undefined ? undefined : { identifier, id },
      limit: pageSizeOf(page) + 1,
    });
    return toPage(rows, page, { keys: (row) => [row.identifier, row.id].slice(0, keys), item: toAccount });
  }

  /** Revokes the access upstream if possible, and deletes the account in any case. */
  async function remove(applicationId: string, name: AccountName): Promise<void> {
    await removeAccount(await findAccountByName(storage, applicationId, name));
  }

  async function deleteById(applicationId: string, id: string): Promise<void> {
    await removeAccount(await findAccount(storage, applicationId, id));
  }

  /** Revokes the access as `delete` does. The account stays and can be connected again. */
  async function revoke(applicationId: string, name: AccountName): Promise<EndedAccount> {
    return end(await findAccountByName(storage, applicationId, name));
  }

  async function revokeById(applicationId: string, id: string): Promise<EndedAccount> {
    return end(await findAccount(storage, applicationId, id));
  }

  return { getOrCreate, get, getById, list, delete: remove, deleteById, revoke, revokeById };
}

export type Accounts = ReturnType<typeof createAccounts>;

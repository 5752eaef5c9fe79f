import type { CurrentCaller } from '../caller.js';
import { ServiceError } from '../errors.js';
import type { RevocationOutcome } from '../names/status-reasons.js';
import { type Page, type PageRequest, pageSizeOf, readPageToken, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import type { Secret } from '../secret.js';
import type { Account as StoredAccount } from '../storage/accounts-table.js';
import type { AccountStatus, ConnectionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { Vault } from '../vault/vault.js';
import { type Account, checkIdentifier, toAccount } from './account.js';
import type { AccountCache } from './account-cache.js';
import type { Connectors } from './connector.js';
import {
  type AccountName,
  accountNotFound,
  findAccount,
  findAccountByName,
  findConnection,
} from './find-account.js';
import { sealCredentials } from './further-credentials.js';
import { type GivenSecrets, readKey } from './given-secrets.js';
import type { RemoveAccount } from './remove-account.js';
import { outcomeOf } from './revoke.js';
import type { RevokeAccount } from './revoke-account.js';
import { tokenPlace } from './tokens.js';

export interface AccountsParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
  readonly vault: Vault;
  readonly removeAccount: RemoveAccount;
  readonly revokeAccount: RevokeAccount;
  readonly caller: CurrentCaller;
  readonly commit: Commit;
  readonly cache: AccountCache;
  readonly now: () => number;
  readonly random: Random;
}

export interface GotAccount {
  readonly account: Account;
  readonly created: boolean;
}

/** An account whose access has ended here, and what became of it upstream. */
export interface EndedAccount extends Account {
  readonly upstream: RevocationOutcome;
}

export interface AccountFilter extends PageRequest {
  readonly connectionName?: string | undefined;
  readonly status?: AccountStatus | undefined;
  /** What the identifiers begin with. */
  readonly identifier?: string | undefined;
}

/** The connected accounts of an application. */
export interface Accounts {
  /** With a key it is authorized at once, and a later key takes the place of the earlier one. */
  getOrCreate(applicationId: string, name: AccountName, given?: GivenSecrets): Promise<GotAccount>;
  get(applicationId: string, name: AccountName): Promise<Account>;
  getById(applicationId: string, id: string): Promise<Account>;
  /** In the order of their identifiers. */
  list(applicationId: string, filter: AccountFilter): Promise<Page<Account>>;
  /** Ends the access upstream where that can be done, and deletes in any case. */
  delete(applicationId: string, name: AccountName): Promise<void>;
  deleteById(applicationId: string, id: string): Promise<void>;
  /** Ends the access as deleting does; the account stays, and can be connected anew. */
  revoke(applicationId: string, name: AccountName): Promise<EndedAccount>;
  revokeById(applicationId: string, id: string): Promise<EndedAccount>;
}

const changedMeanwhile = ({ name }: ConnectionRow): ServiceError =>
  new ServiceError(
    'conflict',
    `The connection "${name}" was changed at the same time; send the request again.`,
  );

export function createAccounts(parts: AccountsParts): Accounts {
  const { storage, connectors, vault, removeAccount, revokeAccount, caller } = parts;
  const { commit, cache, now, random } = parts;

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
      // The connection keeps its addresses from its first account on: none may come while they change.
      if (!(await tables.connections.lock(connection))) throw changedMeanwhile(connection);
      const created = await tables.accounts.insert(account);
      if (created) tell({ action: 'account.created', applicationId, object: account.id });
      return created;
    });
  }

  async function setSecrets(
    account: StoredAccount,
    key: Secret | undefined,
    { credentials }: GivenSecrets,
  ): Promise<StoredAccount> {
    if (key === undefined && credentials === undefined) return account;
    const change = {
      ...(key && {
        accessToken: await vault.seal(tokenPlace(account, 'access_token'), key),
        status: 'authorized' as const,
        statusReason: null,
      }),
      ...(credentials && { credentials: await sealCredentials(vault, account, credentials) }),
      updatedAt: now(),
    };
    const { applicationId, id: object } = account;
    const changed = await commit(async (tables, tell) => {
      const row = await tables.accounts.change(account, change);
      if (row) tell({ action: 'account.secrets_changed', applicationId, object });
      if (row && row.status !== account.status) tell({ action: 'account.authorized', applicationId, object });
      return row;
    });
    cache.drop(account.id);
    if (changed) return { ...account, ...changed };
    throw new ServiceError('conflict', 'The account was changed at the same time; send its secrets again.');
  }

  async function end(account: StoredAccount): Promise<EndedAccount> {
    const isOwn = caller().actor === account.applicationId;
    const revoked = await revokeAccount(account, isOwn ? 'revoked_by_application' : 'revoked_by_operator');
    if (revoked) return { ...toAccount(revoked.account), upstream: outcomeOf(revoked.upstream) };
    throw accountNotFound(account.id);
  }

  return {
    async getOrCreate(applicationId, name, given = {}) {
      const connection = await findConnection(storage, applicationId, name.connectionName);
      const key = readKey(connectors, connection, given);
      const identifier = checkIdentifier(name.identifier);
      const known = await storage.accounts.findByIdentifier(applicationId, name.connectionName, identifier);
      const created = known === undefined && (await insert(connection, identifier));
      const account = known ?? (await findAccountByName(storage, applicationId, name));
      return { account: toAccount(await setSecrets(account, key, given)), created };
    },

    get: async (applicationId, name) => toAccount(await findAccountByName(storage, applicationId, name)),
    getById: async (applicationId, id) => toAccount(await findAccount(storage, applicationId, id)),

    async list(applicationId, { connectionName, status, identifier: prefix, ...page }) {
      const connectionId =
        connectionName === undefined
          ? undefined
          : (await findConnection(storage, applicationId, connectionName)).id;
      // Of one connection no two have the same identifier.
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
    },

    delete: async (applicationId, name) => {
      await removeAccount(await findAccountByName(storage, applicationId, name));
    },
    deleteById: async (applicationId, id) => {
      await removeAccount(await findAccount(storage, applicationId, id));
    },
    revoke: async (applicationId, name) => end(await findAccountByName(storage, applicationId, name)),
    revokeById: async (applicationId, id) => end(await findAccount(storage, applicationId, id)),
  };
}

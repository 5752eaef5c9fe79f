import { LRUCache } from 'lru-cache';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import { checkIdentifier, checkLabel } from './account-name.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import { readPolicy } from './approval-policy.js';
import { addressesOf } from './connection-addresses.js';
import { type Connectors, findConnector } from './connector.js';
import { type AccountName, findAccount, findAccountByName, type ToMissing } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

/**
 * Function that throws if the caller may not use the account. It is called before the caller learns whether the account
 * exists or is authorized. If the account does not exist, its id is empty.
 */
export type CheckAccount = (account: AccountName & { readonly id: string }) => void;

/** Reference to an account: its id, or its connection name, user identifier and label. */
export interface AccountReference {
  readonly connectedAccountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly identifier?: string | undefined;
  readonly account?: string | undefined;
}

/** Account that was found in the cache, or the promise of an account that is read from the database. */
type Found = ResolvedAccount | Promise<ResolvedAccount>;

export interface ResolveParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
  readonly cache: Pick<AccountCache, 'resolved'>;
}

// Maximum bytes of the cache that maps account names to ids. It has room for more entries than the cache of accounts.
const MAX_BYTES = 16 * 2 ** 20;
const ENTRY_BYTES = 150;

// Returns the cache key of an account's name. Valid names contain no line break, so two names never have equal keys.
const nameKey = (applicationId: string, { connectionName, identifier, account }: AccountName) =>
  `${applicationId}\n${connectionName}\n${identifier}${account ? `\n${account}` : ''}`;

// Returns the cache key of an account's id. No application has the id `id`, so the key never equals the key of a name.
const idKey = (applicationId: string, accountId: string) => `id\n${applicationId}\n${accountId}`;

function toResolved(account: StoredAccount, connectors: Connectors): ResolvedAccount {
  const definition = findConnector(connectors, account.connector);
  if (account.status !== 'authorized') {
    const error = accountNotAuthorized(account, definition.auth.type);
    error.account = { id: account.id, connectionName: account.connectionName };
    error.connector = account.connector;
    throw error;
  }
  return toUnchecked(account, connectors);
}

function toUnchecked(account: StoredAccount, connectors: Connectors): ResolvedAccount {
  const definition = findConnector(connectors, account.connector);
  const { id, applicationId, identifier, account: label } = account;
  const { connectionId, connectionName, connector, approve, storeUpstreamErrors } = account;
  return {
    id,
    applicationId,
    identifier,
    ...(label !== '' && { account: label }),
    connectionId,
    connectionName,
    connector,
    ...(approve !== null && { approve: readPolicy(approve) }),
    ...(storeUpstreamErrors === 0 && { hidesUpstreamErrors: true }),
    ...(account.untestedSince !== null && { untestedVersion: account.version }),
    ...addressesOf(account, definition),
  };
}

/**
 * Creates the error for a user who has no account. It equals the error for an account without consent, because both
 * need the same authorization link.
 */
function createToMissing(connectors: Connectors, check?: CheckAccount): ToMissing {
  return (name, { connector }) => {
    check?.({ ...name, id: '' });
    checkIdentifier(name.identifier);
    checkLabel(name.account);
    const { auth } = findConnector(connectors, connector);
    const error = accountNotAuthorized(
      { ...name, account: name.account ?? '', status: 'unauthorized', statusReason: null },
      auth.type,
    );
    error.connector = connector;
    return error;
  };
}

/**
 * Creates the functions that find an account for a call. `byName` and `byId` return a cached account without a promise.
 * If their parameter `check` throws, they throw its error. They also throw connection_not_found, account_not_found for
 * an unknown id, and account_not_authorized. A user without an account also gets account_not_authorized, because the
 * authorization link creates the account.
 */
export function createResolve({ storage, connectors, cache: { resolved } }: ResolveParts) {
  const ids = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (id, name) => ENTRY_BYTES + name.length + id.length,
  });

  const idOf = ({ id }: ResolvedAccount) => id;

  /**
   * Reads an account from the database. Concurrent reads share one query, except with `check`, because its result
   * depends on the caller.
   */
  const read = (
    question: string,
    find: () => Promise<StoredAccount>,
    check?: CheckAccount,
  ): Promise<ResolvedAccount> => {
    const findFor = async () => {
      const account = await find();
      check?.(account);
      return toResolved(account, connectors);
    };
    return check ? resolved.fill(findFor, idOf) : resolved.fillOnce(question, findFor, idOf);
  };

  /** Returns the cached account with this id; `undefined` if it is not cached. */
  function cached(
    applicationId: string,
    id: string | undefined,
    check?: CheckAccount,
  ): ResolvedAccount | undefined {
    const account = id === undefined ? undefined : resolved.get(id);
    if (account?.applicationId !== applicationId) return undefined;
    check?.(account);
    return account;
  }

  async function readByName(
    applicationId: string,
    name: AccountName,
    check?: CheckAccount,
  ): Promise<ResolvedAccount> {
    const toMissing = createToMissing(connectors, check);
    const key = nameKey(applicationId, name);
    const account = await read(key, () => findAccountByName(storage, applicationId, name, toMissing), check);
    ids.set(key, account.id);
    return account;
  }

  function byName(applicationId: string, name: AccountName, check?: CheckAccount): Found {
    const id = ids.get(nameKey(applicationId, name));
    return cached(applicationId, id, check) ?? readByName(applicationId, name, check);
  }

  function byId(applicationId: string, accountId: string, check?: CheckAccount): Found {
    const find = () => findAccount(storage, applicationId, accountId);
    return cached(applicationId, accountId, check) ?? read(idKey(applicationId, accountId), find, check);
  }

  /** Finds an account without checking that its user has consented, or that the caller may use it. */
  async function unchecked(
    applicationId: string,
    { connectedAccountId, connectionName = '', identifier = '', account: label }: AccountReference,
  ): Promise<ResolvedAccount> {
    const name = { connectionName, identifier, account: label };
    const account =
      connectedAccountId === undefined
        ? await findAccountByName(storage, applicationId, name, createToMissing(connectors))
        : await findAccount(storage, applicationId, connectedAccountId);
    return toUnchecked(account, connectors);
  }

  return { byName, byId, unchecked };
}

export type Resolve = ReturnType<typeof createResolve>;

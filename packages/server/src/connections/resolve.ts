import { LRUCache } from 'lru-cache';
import type { Account } from '../storage/accounts-table.js';
import type { Storage } from '../storage/storage.js';
import { checkIdentifier } from './account.js';
import type { AccountCache } from './account-cache.js';
import { accountNotAuthorized } from './account-not-authorized.js';
import { addressesOf } from './addresses.js';
import { readPolicy } from './approval-policy.js';
import { type Connectors, findConnector } from './connector.js';
import { type AccountName, findAccount, findAccountByName, type ToMissing } from './find-account.js';
import type { ResolvedAccount } from './resolved-account.js';

/**
 * Asked about an account that was found, before anything is told of it: throws where the caller may not use it. One that
 * was named and does not exist yet has an empty id.
 */
export type CheckAccount = (account: Pick<ResolvedAccount, 'id' | 'connectionName' | 'identifier'>) => void;

/**
 * Finds accounts. Throws connection_not_found, account_not_found for an unknown id, or account_not_authorized; the latter for
 * a name that has no account, too: its user never connected, and the way to a link makes it.
 */
export interface Resolve {
  /** What `byIdentifier` would give, when it is at hand. */
  held(applicationId: string, connectionName: string, identifier: string): ResolvedAccount | undefined;
  /** The same for `byId`. */
  heldById(applicationId: string, accountId: string): ResolvedAccount | undefined;
  byIdentifier(
    applicationId: string,
    connectionName: string,
    identifier: string,
    check?: CheckAccount,
  ): Promise<ResolvedAccount>;
  byId(applicationId: string, accountId: string, check?: CheckAccount): Promise<ResolvedAccount>;
  /** Where an account leads, whether it may be used or not. */
  unchecked(applicationId: string, account: AccountReference): Promise<ResolvedAccount>;
}

/** An account by its id, or by connection and identifier. */
export interface AccountReference {
  readonly connectedAccountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly identifier?: string | undefined;
}

export interface ResolveParts {
  readonly storage: Pick<Storage, 'accounts' | 'connections'>;
  readonly connectors: Connectors;
  readonly cache: Pick<AccountCache, 'resolved'>;
}

// As many as accounts are kept, and more.
const MOST_BYTES = 16 * 2 ** 20;
const ENTRY_BYTES = 150;

// No name that exists holds a line break, so two names that exist never give the same text.
const nameKey = (applicationId: string, { connectionName, identifier }: AccountName) =>
  `${applicationId}\n${connectionName}\n${identifier}`;

// No application is called so: what a caller gives for an id, whatever it holds, is no name of an account.
const idKey = (applicationId: string, accountId: string) => `id\n${applicationId}\n${accountId}`;

function toResolved(account: Account, connectors: Connectors): ResolvedAccount {
  const found = findConnector(connectors, account.connector);
  if (account.status !== 'authorized') throw accountNotAuthorized(account, found.auth.type);
  return toUnchecked(account, connectors);
}

function toUnchecked(account: Account, connectors: Connectors): ResolvedAccount {
  const found = findConnector(connectors, account.connector);
  const { id, applicationId, identifier, connectionId, connectionName, connector, approve } = account;
  return {
    id,
    applicationId,
    identifier,
    connectionId,
    connectionName,
    connector,
    ...(approve !== null && { approve: readPolicy(approve) }),
    ...addressesOf(account, found),
  };
}

/** What is said of a user who never connected: the same as of one who has not approved. */
const createToMissing =
  (connectors: Connectors, check?: CheckAccount): ToMissing =>
  (name, { connector }) => {
    check?.({ ...name, id: '' });
    checkIdentifier(name.identifier);
    const { auth } = findConnector(connectors, connector);
    return accountNotAuthorized({ ...name, status: 'unauthorized', statusReason: null }, auth.type);
  };

export function createResolve({ storage, connectors, cache: { resolved } }: ResolveParts): Resolve {
  const ids = new LRUCache<string, string>({
    maxSize: MOST_BYTES,
    sizeCalculation: (id, name) => ENTRY_BYTES + name.length + id.length,
  });

  const idOf = ({ id }: ResolvedAccount) => id;

  // What is checked for one caller is an answer to nobody else.
  const read = (
    question: string,
    find: () => Promise<Account>,
    check?: CheckAccount,
  ): Promise<ResolvedAccount> => {
    const findFor = async () => {
      const account = await find();
      check?.(account);
      return toResolved(account, connectors);
    };
    return check ? resolved.fill(findFor, idOf) : resolved.fillOnce(question, findFor, idOf);
  };

  const heldById = (applicationId: string, id: string | undefined): ResolvedAccount | undefined => {
    const account = id === undefined ? undefined : resolved.get(id);
    return account?.applicationId === applicationId ? account : undefined;
  };

  const held: Resolve['held'] = (applicationId, connectionName, identifier) =>
    heldById(applicationId, ids.get(nameKey(applicationId, { connectionName, identifier })));

  return {
    held,
    heldById,

    async byIdentifier(applicationId, connectionName, identifier, check) {
      const known = held(applicationId, connectionName, identifier);
      if (known) return known;
      const name = { connectionName, identifier };
      const toMissing = createToMissing(connectors, check);
      const key = nameKey(applicationId, name);
      const account = await read(
        key,
        () => findAccountByName(storage, applicationId, name, toMissing),
        check,
      );
      ids.set(key, account.id);
      return account;
    },

    byId: async (applicationId, accountId, check) =>
      heldById(applicationId, accountId) ??
      read(idKey(applicationId, accountId), () => findAccount(storage, applicationId, accountId), check),

    async unchecked(applicationId, { connectedAccountId, connectionName = '', identifier = '' }) {
      const name = { connectionName, identifier };
      const account =
        connectedAccountId === undefined
          ? await findAccountByName(storage, applicationId, name, createToMissing(connectors))
          : await findAccount(storage, applicationId, connectedAccountId);
      return toUnchecked(account, connectors);
    },
  };
}

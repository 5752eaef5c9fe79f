import { isDeepStrictEqual } from 'node:util';
import type { AccountDetails, AccountName, ConnectedAccount } from '@svc/core';

/** Account as a call identifies it: by id, or by connection, user identifier and label. */
export interface GivenAccount {
  readonly connectedAccountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly identifier?: string | undefined;
  /** Label of the account. Absent or an empty text: the account without a label. */
  readonly account?: string | undefined;
}

/** Fake connected accounts, created when the tested code requests them. All of them are authorized. */
export interface FakeAccounts {
  getOrCreate(account: AccountName & AccountDetails): ConnectedAccount;
  /**
   * Adds the connection name, the user identifier and the label to an account that is identified by its id, if an
   * earlier request named them.
   */
  nameOf(account: GivenAccount): GivenAccount;
}

const SINCE = '2026-01-01T00:00:00.000Z';

/**
 * Creates the store of fake accounts. An account's id contains its connection, user identifier and label, so that
 * failed assertions are readable.
 */
export function createFakeAccounts(): FakeAccounts {
  const names = new Map<string, AccountName>();
  const details = new Map<string, AccountDetails>();
  const idOf = (name: AccountName, id: string): string => {
    const other = names.get(id);
    const isFree = other === undefined || isDeepStrictEqual(other, name);
    return isFree ? id : idOf(name, `${id}_`);
  };
  return {
    getOrCreate({ connectionName, identifier, account, ...given }) {
      const name = { connectionName, identifier, ...(account && { account }) };
      const id = idOf(name, ['acct', ...Object.values(name)].join('_'));
      names.set(id, name);
      const { metadata = details.get(id)?.metadata ?? {}, tags = details.get(id)?.tags ?? [] } = given;
      details.set(id, { metadata, tags });
      return {
        ...name,
        id,
        connector: connectionName,
        status: 'authorized',
        scopes: [],
        credentials: [],
        metadata: { ...metadata },
        tags: [...tags],
        createdAt: SINCE,
        updatedAt: SINCE,
        etag: `"${id}"`,
      };
    },
    nameOf: (account) => ({ ...account, ...names.get(account.connectedAccountId ?? '') }),
  };
}

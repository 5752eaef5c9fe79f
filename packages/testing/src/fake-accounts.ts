import type { AccountName, ConnectedAccount } from '@svc/core';

/** Account in a call: an id, or a connection and an identifier. */
export interface GivenAccount {
  readonly connectedAccountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly identifier?: string | undefined;
}

/** The accounts that the tested code has asked for. Every one is authorized. */
export interface FakeAccounts {
  getOrCreate(name: AccountName): ConnectedAccount;
  /** Adds the account's name, when it is known. */
  nameOf(account: GivenAccount): GivenAccount;
}

const SINCE = '2026-01-01T00:00:00.000Z';

/** Ids tell whose they are, so that a failed assertion can be read. */
export function createFakeAccounts(): FakeAccounts {
  const names = new Map<string, AccountName>();
  const idOf = ({ connectionName, identifier }: AccountName, id: string): string => {
    const other = names.get(id);
    const isFree =
      other === undefined || (other.connectionName === connectionName && other.identifier === identifier);
    return isFree ? id : idOf({ connectionName, identifier }, `${id}_`);
  };
  return {
    getOrCreate({ connectionName, identifier }) {
      const id = idOf({ connectionName, identifier }, `acct_${connectionName}_${identifier}`);
      names.set(id, { connectionName, identifier });
      return {
        id,
        connectionName,
        connector: connectionName,
        identifier,
        status: 'authorized',
        scopes: [],
        credentials: [],
        createdAt: SINCE,
        updatedAt: SINCE,
      };
    },
    nameOf: (account) => ({ ...account, ...names.get(account.connectedAccountId ?? '') }),
  };
}

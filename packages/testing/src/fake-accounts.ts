import type { AccountDetails, AccountName, ConnectedAccount } from '@svc/core';

/** Account as a call identifies it: by id, or by connection and user identifier. */
export interface GivenAccount {
  readonly connectedAccountId?: string | undefined;
  readonly connectionName?: string | undefined;
  readonly identifier?: string | undefined;
}

/** Fake connected accounts, created when the tested code requests them. All of them are authorized. */
export interface FakeAccounts {
  getOrCreate(account: AccountName & AccountDetails): ConnectedAccount;
  /**
   * Adds the connection name and the user identifier to an account that is identified by its id, if an earlier request
   * named them.
   */
  nameOf(account: GivenAccount): GivenAccount;
}

const SINCE = '2026-01-01T00:00:00.000Z';

/**
 * Creates the store of fake accounts. An account's id contains its connection and user identifier, so that failed
 * assertions are readable.
 */
export function createFakeAccounts(): FakeAccounts {
  const names = new Map<string, AccountName>();
  const details = new Map<string, AccountDetails>();
  const idOf = ({ connectionName, identifier }: AccountName, id: string): string => {
    const other = names.get(id);
    const isFree =
      other === undefined || (other.connectionName === connectionName && other.identifier === identifier);
    return isFree ? id : idOf({ connectionName, identifier }, `${id}_`);
  };
  return {
    getOrCreate({ connectionName, identifier, ...given }) {
      const id = idOf({ connectionName, identifier }, `acct_${connectionName}_${identifier}`);
      names.set(id, { connectionName, identifier });
      const { metadata = details.get(id)?.metadata ?? {}, tags = details.get(id)?.tags ?? [] } = given;
      details.set(id, { metadata, tags });
      return {
        id,
        connectionName,
        connector: connectionName,
        identifier,
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

import type { Database } from './database.js';
import type { AccountRow, AccountStatus, ConnectionRow } from './schema.js';

/** An account with the columns of its connection that every use of it needs. */
export interface Account extends AccountRow {
  readonly connectionName: string;
  readonly connector: string;
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly hosts: string | null;
  readonly approve: string | null;
}

/** One version of one account: a write that names it fails once the account has changed. */
export interface AccountVersion {
  readonly applicationId: string;
  readonly id: string;
  readonly version: number;
}

export type AccountChange = Partial<
  Pick<
    AccountRow,
    | 'status'
    | 'statusReason'
    | 'scopes'
    | 'wantedScopes'
    | 'subject'
    | 'issuer'
    | 'accessToken'
    | 'refreshToken'
    | 'credentials'
    | 'issuedAt'
    | 'expiresAt'
    | 'refreshStartedAt'
  >
> & { readonly updatedAt: number };

export const selectAccounts = (database: Database, applicationId: string) =>
  database
    .selectFrom('accounts')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.id', '=', 'accounts.connectionId')
        .onRef('connections.applicationId', '=', 'accounts.applicationId'),
    )
    .selectAll('accounts')
    .select([
      'connections.name as connectionName',
      'connections.connector',
      'connections.baseUrl',
      'connections.region',
      'connections.hosts',
      'connections.approve',
    ])
    .where('accounts.applicationId', '=', applicationId);

const updateVersion = (database: Database, { applicationId, id, version }: AccountVersion) =>
  database
    .updateTable('accounts')
    .where('applicationId', '=', applicationId)
    .where('id', '=', id)
    .where('version', '=', version);

export const accountsTable = (database: Database) => ({
  /** Whether it was stored: it is not when the connection has an account of that identifier. */
  insert: async (account: AccountRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('accounts')
      .values(account)
      .onConflict((conflict) => conflict.columns(['applicationId', 'connectionId', 'identifier']).doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  find: (applicationId: string, id: string): Promise<Account | undefined> =>
    selectAccounts(database, applicationId).where('accounts.id', '=', id).executeTakeFirst(),

  findByIdentifier: (
    applicationId: string,
    connectionName: string,
    identifier: string,
  ): Promise<Account | undefined> =>
    selectAccounts(database, applicationId)
      .where('connections.applicationId', '=', applicationId)
      .where('connections.name', '=', connectionName)
      .where('accounts.identifier', '=', identifier)
      .executeTakeFirst(),

  /** Whether the connection has one. */
  isAny: async ({ applicationId, id }: Pick<ConnectionRow, 'applicationId' | 'id'>): Promise<boolean> => {
    const found = await database
      .selectFrom('accounts')
      .select('id')
      .where('applicationId', '=', applicationId)
      .where('connectionId', '=', id)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  },

  /** Compare and set: the changed account is the next version. `undefined` when it is not that version any more. */
  change: (account: AccountVersion, change: AccountChange): Promise<AccountRow | undefined> =>
    updateVersion(database, account)
      .set({ ...change, version: account.version + 1 })
      .returningAll()
      .executeTakeFirst(),

  /** Changes what an account without tokens is called; its version stays, because nothing that can be used has changed. */
  setStatus: async (
    { applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>,
    change: { readonly from: AccountStatus; readonly to: AccountStatus; readonly now: number },
  ): Promise<void> => {
    await database
      .updateTable('accounts')
      .set({ status: change.to, updatedAt: change.now })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('status', '=', change.from)
      .execute();
  },

  /** Whether another account of the connection is authorized as that user of the upstream. */
  hasSubject: async (
    connection: { readonly applicationId: string; readonly connectionId: string },
    { subject }: { readonly subject: string },
  ): Promise<boolean> => {
    const found = await database
      .selectFrom('accounts')
      .select('id')
      .where('applicationId', '=', connection.applicationId)
      .where('connectionId', '=', connection.connectionId)
      .where('subject', '=', subject)
      .where('status', '=', 'authorized')
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  },

  /**
   * Opens (a time) or closes (`null`) the intent to refresh this version, when it stands as it was read. Whether it did: two
   * processes that both believe to hold the account never both open one.
   */
  markRefresh: async (
    account: AccountVersion & Pick<AccountRow, 'refreshStartedAt'>,
    refreshStartedAt: number | null,
  ): Promise<boolean> => {
    const before = account.refreshStartedAt;
    const { numUpdatedRows } = await updateVersion(database, account)
      .where('refreshStartedAt', before === null ? 'is' : '=', before)
      .set({ refreshStartedAt })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Whether it was there. */
  delete: async (applicationId: string, id: string): Promise<boolean> => {
    const { numDeletedRows } = await database
      .deleteFrom('accounts')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

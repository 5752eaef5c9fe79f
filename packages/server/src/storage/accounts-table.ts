import { sql } from 'kysely';
import type { RowCount } from '../page.js';
import { deletes, hasRow, inserts, updates } from './affected-rows.js';
import { countRows } from './count-rows.js';
import { dialectOf } from './dialect.js';
import { PREPARED } from './prepared-statement.js';
import type { AccountRow, AccountStatus, ConnectionRow, Database } from './schema.js';
import { searchKeyOf } from './search-key.js';
import {
  type AccountFilter,
  type AccountQuery,
  accountsWithConnections,
  createListAccounts,
  selectAccounts,
} from './select-accounts.js';

/** Row of a connected account, joined with the columns of its connection that every call needs. */
export interface StoredAccount extends AccountRow {
  readonly connectionName: string;
  readonly connector: string;
  readonly baseUrl: string | null;
  readonly region: string | null;
  readonly hosts: string | null;
  readonly approve: string | null;
  readonly storeUpstreamErrors: number;
}

/**
 * Key of one version of an account. A write with this key changes nothing if the stored account has a newer version.
 */
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
    | 'connectedAs'
    | 'accessToken'
    | 'refreshToken'
    | 'credentials'
    | 'importedToken'
    | 'issuedAt'
    | 'expiresAt'
    | 'refreshStartedAt'
    | 'refreshFailingSince'
    | 'refreshFailedAt'
    | 'refreshFailure'
    | 'untestedSince'
  >
> & { readonly updatedAt: number };

type StoredDetails = Pick<AccountRow, 'metadata' | 'tags'>;

/** One of a user's accounts, with the columns that distinguish it from the user's other accounts. */
export interface NamedAccount extends Pick<AccountRow, 'id' | 'account' | 'connectedAs' | 'status'> {
  readonly connectionName: string;
}

export type AccountUser = Pick<AccountRow, 'applicationId' | 'id' | 'identifier' | 'account'>;

export interface AccountUses {
  readonly accounts: readonly Pick<AccountRow, 'applicationId' | 'id'>[];
  readonly usedAt: number;
}

/**
 * Name of an account: its connection, its user, and the label that distinguishes several accounts of the user on the
 * connection.
 */
export interface AccountName {
  readonly connectionName: string;
  readonly identifier: string;
  readonly account?: string | undefined;
}

const updateVersion = (database: Database, { applicationId, id, version }: AccountVersion) =>
  database
    .updateTable('accounts')
    .where('applicationId', '=', applicationId)
    .where('id', '=', id)
    .where('version', '=', version);

export function accountsTable(database: Database) {
  const listAccounts = createListAccounts(database);

  return {
    /** Inserts an account. Returns false if the connection already has an account of this user with this label. */
    insert: (account: AccountRow): Promise<boolean> =>
      inserts(
        database
          .insertInto('accounts')
          .values({ ...account, identifierKey: searchKeyOf(account.identifier) })
          .onConflict((conflict) =>
            conflict.columns(['applicationId', 'connectionId', 'identifier', 'account']).doNothing(),
          )
          .modifyEnd(PREPARED),
      ),

    find: (applicationId: string, id: string): Promise<StoredAccount | undefined> =>
      selectAccounts(database, applicationId).where('accounts.id', '=', id).executeTakeFirst(),

    /** Finds the connection name, the user identifier and the label of an account by its id. */
    findName: (
      applicationId: string,
      id: string,
    ): Promise<(AccountName & { readonly account: string }) | undefined> =>
      accountsWithConnections(database)
        .select(['connections.name as connectionName', 'accounts.identifier', 'accounts.account'])
        .where('accounts.applicationId', '=', applicationId)
        .where('accounts.id', '=', id)
        .executeTakeFirst(),

    findByName: (
      applicationId: string,
      { connectionName, identifier, account = '' }: AccountName,
    ): Promise<StoredAccount | undefined> =>
      selectAccounts(database, applicationId)
        .where('connections.applicationId', '=', applicationId)
        .where('connections.name', '=', connectionName)
        .where('accounts.identifier', '=', identifier)
        .where('accounts.account', '=', account)
        .executeTakeFirst(),

    /** Lists a user's accounts with their connection names, sorted by account id. */
    listOfUser: (applicationId: string, identifier: string, limit: number): Promise<NamedAccount[]> =>
      accountsWithConnections(database)
        .select([
          'connections.name as connectionName',
          'accounts.account',
          'accounts.id',
          'accounts.connectedAs',
          'accounts.status',
        ])
        .where('accounts.applicationId', '=', applicationId)
        .where('accounts.identifier', '=', identifier)
        .orderBy('accounts.id')
        .limit(limit)
        .execute(),

    /** Lists the users to whom the accounts with these ids belong. */
    usersOf: (applicationId: string, ids: readonly string[]): Promise<AccountUser[]> =>
      database
        .selectFrom('accounts')
        .select(['applicationId', 'id', 'identifier', 'account'])
        .where('applicationId', '=', applicationId)
        .where('id', 'in', ids)
        .execute(),

    /**
     * Returns true if one user has more than `most` accounts on one connection. The order makes PostgreSQL use the
     * unique index. While a new table has no statistics, PostgreSQL may otherwise read all accounts of the connection.
     */
    hasMoreOfUser: async (
      {
        applicationId,
        connectionId,
        identifier,
      }: Pick<AccountRow, 'applicationId' | 'connectionId' | 'identifier'>,
      most: number,
    ): Promise<boolean> =>
      hasRow(
        database
          .selectFrom('accounts')
          .select('id')
          .where('applicationId', '=', applicationId)
          .where('connectionId', '=', connectionId)
          .where('identifier', '=', identifier)
          .orderBy('account')
          .offset(most)
          .limit(1),
      ),

    /** Returns true if the connection has at least one account. */
    hasAny: ({ applicationId, id }: Pick<ConnectionRow, 'applicationId' | 'id'>): Promise<boolean> =>
      hasRow(
        database
          .selectFrom('accounts')
          .select('id')
          .where('applicationId', '=', applicationId)
          .where('connectionId', '=', id)
          .limit(1),
      ),

    /**
     * Changes the account and increments its version, if the stored version is still the given one. Otherwise changes
     * nothing and returns `undefined`.
     */
    change: (account: AccountVersion, change: AccountChange): Promise<AccountRow | undefined> =>
      updateVersion(database, account)
        .set({ ...change, version: account.version + 1 })
        .returningAll()
        .executeTakeFirst(),

    /**
     * Changes the status of an account that has no tokens. The version stays the same, because it only counts changes
     * of credentials.
     */
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

    /** Returns true if any account of the connection is authorized as the upstream user `subject`. */
    hasSubject: (
      connection: { readonly applicationId: string; readonly connectionId: string },
      { subject }: { readonly subject: string },
    ): Promise<boolean> =>
      hasRow(
        database
          .selectFrom('accounts')
          .select('id')
          .where('applicationId', '=', connection.applicationId)
          .where('connectionId', '=', connection.connectionId)
          .where('subject', '=', subject)
          .where('status', '=', 'authorized')
          .limit(1),
      ),

    /**
     * Stores the time when a token refresh started, or `null` when it ended, if the account is unchanged since it was
     * read. Returns true if it was unchanged. Two processes may both believe that they hold the refresh lock; only one
     * of them can then start the refresh.
     */
    markRefresh: (
      account: AccountVersion & Pick<AccountRow, 'refreshStartedAt'>,
      refreshStartedAt: number | null,
    ): Promise<boolean> => {
      const before = account.refreshStartedAt;
      return updates(
        updateVersion(database, account)
          .where('refreshStartedAt', before === null ? 'is' : '=', before)
          .set({ refreshStartedAt }),
      );
    },

    /** Records that a call succeeded with the account's secrets, unless they were changed after the call began. */
    markTested: async (account: AccountVersion): Promise<void> => {
      await updateVersion(database, account).set({ untestedSince: null }).execute();
    },

    /**
     * Records that a token refresh failed. If the previous refresh succeeded, stores this time as that of the first
     * failure too.
     */
    markRefreshFailed: async (
      account: AccountVersion,
      { at, reason }: { readonly at: number; readonly reason: string },
    ): Promise<void> => {
      await updateVersion(database, account)
        .set(({ fn, val }) => ({
          refreshFailingSince: fn.coalesce('refreshFailingSince', val(at)),
          refreshFailedAt: at,
          refreshFailure: reason,
        }))
        .execute();
    },

    /**
     * Stores the metadata and tags that the application set for an account, and locks the account's row. The account's
     * version stays the same. With `before`, stores nothing and returns `undefined` if the stored data differs from
     * `before`.
     */
    setDetails: async (
      { applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>,
      details: Partial<StoredDetails> & { readonly updatedAt: number },
      before?: StoredDetails,
    ): Promise<AccountRow | undefined> => {
      let update = database
        .updateTable('accounts')
        .set(details)
        .where('applicationId', '=', applicationId)
        .where('id', '=', id);
      if (before) update = update.where('metadata', '=', before.metadata).where('tags', '=', before.tags);
      return update.returningAll().executeTakeFirst();
    },

    /** Deletes the account if the stored version is still the given one. Returns true if it was. */
    delete: ({ applicationId, id, version }: AccountVersion): Promise<boolean> =>
      deletes(
        database
          .deleteFrom('accounts')
          .where('applicationId', '=', applicationId)
          .where('id', '=', id)
          .where('version', '=', version),
      ),

    /** Lists accounts, sorted by the bytes of their user identifiers. */
    list: (applicationId: string, query: AccountQuery): Promise<StoredAccount[]> =>
      listAccounts(applicationId, query).limit(query.limit).execute(),

    /** Counts the accounts that match the filter. */
    countListed: (applicationId: string, filter: AccountFilter): Promise<RowCount> =>
      countRows(database, listAccounts(applicationId, filter).clearSelect().select('accounts.id')),

    /**
     * Stores when accounts were last used, unless the stored time is less than `leastMs` milliseconds older. This
     * avoids most of the writes.
     */
    markUsed: async ({ accounts, usedAt }: AccountUses, leastMs: number): Promise<void> => {
      const keys = JSON.stringify(accounts.map(({ applicationId, id }) => [applicationId, id]));
      const isDue = sql`coalesce(used_at, 0) <= ${usedAt - leastMs}`;
      const condition =
        dialectOf(database) === 'sqlite'
          ? sql`(application_id, id) in (select value ->> 0, value ->> 1 from json_each(${keys})) and ${isDue}`
          : // Skips rows that another transaction has locked, because no call should wait for this update.
            sql`id = any (array(select found.id from json_array_elements(${keys}::json) as given (value)
              cross join lateral (select id from accounts
                where application_id = given.value ->> 0 and id = given.value ->> 1 and ${isDue}
                limit 1 for update skip locked) as found))`;
      await sql`update accounts set used_at = ${usedAt} where ${condition}`.execute(database);
    },
  };
}

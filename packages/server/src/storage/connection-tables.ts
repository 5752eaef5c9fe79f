import { sql } from 'kysely';
import type { StoredConnectionReason } from '../names/status-reasons.js';
import type { RowCount } from '../page.js';
import { deletes, hasRow, inserts, updates } from './affected-rows.js';
import { countRows } from './count-rows.js';
import { dialectOf } from './dialect.js';
import { PREPARED } from './prepared-statement.js';
import type { ClientRegistrationRow, ConnectionRow, Database } from './schema.js';

/**
 * Columns of a connection that the application may change, and the reason why the connection does not work. Such a
 * change clears the reason.
 */
export type ConnectionChange = Partial<
  Omit<ConnectionRow, 'id' | 'applicationId' | 'name' | 'connector' | 'createdAt'>
>;

export const connectionsTable = (database: Database) => ({
  /** Inserts a connection. Returns false if the application already has a connection with this name. */
  insert: (connection: ConnectionRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('connections')
        .values(connection)
        .onConflict((conflict) => conflict.columns(['applicationId', 'name']).doNothing()),
    ),

  findByName: (applicationId: string, name: string): Promise<ConnectionRow | undefined> =>
    database
      .selectFrom('connections')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('name', '=', name)
      .executeTakeFirst(),

  find: (applicationId: string, id: string): Promise<ConnectionRow | undefined> =>
    database
      .selectFrom('connections')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Lists a page of connections, sorted by name, beginning after the name `after`. */
  list: (applicationId: string, after: string, limit: number): Promise<ConnectionRow[]> =>
    database
      .selectFrom('connections')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit)
      .execute(),

  countListed: (applicationId: string): Promise<RowCount> =>
    countRows(
      database,
      database.selectFrom('connections').select('id').where('applicationId', '=', applicationId),
    ),

  /**
   * Changes the connection if the stored `updatedAt` is still the given one. Returns `undefined` if the connection was
   * changed or deleted.
   */
  change: (row: ConnectionRow, change: ConnectionChange): Promise<ConnectionRow | undefined> =>
    database
      .updateTable('connections')
      .set(change)
      .where('applicationId', '=', row.applicationId)
      .where('id', '=', row.id)
      .where('updatedAt', '=', row.updatedAt)
      .returningAll()
      .executeTakeFirst(),

  /**
   * Locks the connection's row until the transaction ends. Returns true if the connection is unchanged since it was
   * read.
   */
  lock: ({ applicationId, id, updatedAt }: ConnectionRow): Promise<boolean> =>
    updates(
      database
        .updateTable('connections')
        .set({ updatedAt })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('updatedAt', '=', updatedAt),
    ),

  /**
   * Makes changes of the connection, and calls of `lock`, wait until the transaction ends. Other calls of `share` need
   * not wait. Returns true if the connection is unchanged since it was read.
   */
  share: ({ applicationId, id, updatedAt }: ConnectionRow): Promise<boolean> => {
    const select = database
      .selectFrom('connections')
      .select('id')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('updatedAt', '=', updatedAt)
      .modifyEnd(PREPARED);
    return hasRow(dialectOf(database) === 'postgres' ? select.forShare() : select);
  },

  /**
   * Stores the issuer with which the connection's OAuth client may be used, unless an issuer is already stored. Returns
   * the stored issuer, or `undefined` if the connection was changed meanwhile.
   */
  bindIssuer: async (row: ConnectionRow, issuer: string): Promise<string | undefined> => {
    const bound = await database
      .updateTable('connections')
      .set(({ fn, val }) => ({ clientIssuer: fn.coalesce('clientIssuer', val(issuer)) }))
      .where('applicationId', '=', row.applicationId)
      .where('id', '=', row.id)
      .where('updatedAt', '=', row.updatedAt)
      .returning('clientIssuer')
      .executeTakeFirst();
    return bound?.clientIssuer ?? undefined;
  },

  /**
   * Stores the reason why the connection does not work, unless the connection was changed after it was read. Returns
   * true if the stored reason was a different one.
   */
  mark: (
    { applicationId, id, updatedAt }: ConnectionRow,
    statusReason: StoredConnectionReason,
  ): Promise<boolean> =>
    updates(
      database
        .updateTable('connections')
        .set({ statusReason })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('updatedAt', '=', updatedAt)
        .where(({ eb, or }) => or([eb('statusReason', 'is', null), eb('statusReason', '!=', statusReason)])),
    ),

  /** Stores the result of a connection test, unless the connection was changed after it was read. */
  setTest: async (
    { applicationId, id, updatedAt }: ConnectionRow,
    test: Pick<ConnectionRow, 'testedAt' | 'testFailure'>,
  ): Promise<void> => {
    await database
      .updateTable('connections')
      .set(test)
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('updatedAt', '=', updatedAt)
      .execute();
  },

  /**
   * Lists applications that have connections whose last test failed or whose OAuth client is refused. Reads at most
   * `most` connections.
   */
  applicationsOfNotWorking: async (most: number): Promise<readonly string[]> => {
    const { rows } = await sql<{ applicationId: string }>`
      select distinct application_id from
        (select application_id from connections where test_failure is not null or status_reason is not null limit ${most}) as found`.execute(
      database,
    );
    return rows.map(({ applicationId }) => applicationId);
  },

  /** Deletes the connection with its accounts, authorization links and OAuth flows. */
  delete: async (applicationId: string, id: string): Promise<void> => {
    await database
      .deleteFrom('connections')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },
});

/** Key of an OAuth client that the service registered. It is never used with another issuer or redirect URI. */
export type RegistrationKey = Pick<
  ClientRegistrationRow,
  'applicationId' | 'connectionId' | 'issuer' | 'redirectUri'
>;

export const clientRegistrationsTable = (database: Database) => ({
  find: (key: RegistrationKey): Promise<ClientRegistrationRow | undefined> =>
    database
      .selectFrom('clientRegistrations')
      .selectAll()
      .where('applicationId', '=', key.applicationId)
      .where('connectionId', '=', key.connectionId)
      .where('issuer', '=', key.issuer)
      .where('redirectUri', '=', key.redirectUri)
      .executeTakeFirst(),

  /** Inserts an OAuth client that the service registered. Does nothing if a client with the same key exists. */
  insert: async (registration: ClientRegistrationRow): Promise<void> => {
    await database
      .insertInto('clientRegistrations')
      .values(registration)
      .onConflict((conflict) =>
        conflict.columns(['applicationId', 'connectionId', 'issuer', 'redirectUri']).doNothing(),
      )
      .execute();
  },

  /** Deletes an OAuth client that the service registered. Returns true if it existed. */
  delete: ({ applicationId, id }: Pick<ClientRegistrationRow, 'applicationId' | 'id'>): Promise<boolean> =>
    deletes(
      database
        .deleteFrom('clientRegistrations')
        .where('applicationId', '=', applicationId)
        .where('id', '=', id),
    ),
});

import type { StoredConnectionReason } from '../names/status-reasons.js';
import type { Database } from './database.js';
import type { ConnectionRow } from './schema.js';

/** What a connection's owner may change, and the mark that a change takes away. */
export type ConnectionChange = Partial<
  Omit<ConnectionRow, 'id' | 'applicationId' | 'name' | 'connector' | 'createdAt'>
>;

export const connectionsTable = (database: Database) => ({
  /** Whether it was stored: it is not when the name is taken. */
  insert: async (connection: ConnectionRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('connections')
      .values(connection)
      .onConflict((conflict) => conflict.columns(['applicationId', 'name']).doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

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

  /** In the order of their names, those after `after`. */
  list: (applicationId: string, after: string, limit: number): Promise<ConnectionRow[]> =>
    database
      .selectFrom('connections')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('name', '>', after)
      .orderBy('name')
      .limit(limit)
      .execute(),

  update: (applicationId: string, id: string, change: ConnectionChange): Promise<ConnectionRow | undefined> =>
    database
      .updateTable('connections')
      .set(change)
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Compare and set, on the time of the last change. `undefined` when somebody else has changed or deleted it since. */
  change: (row: ConnectionRow, change: ConnectionChange): Promise<ConnectionRow | undefined> =>
    database
      .updateTable('connections')
      .set(change)
      .where('applicationId', '=', row.applicationId)
      .where('id', '=', row.id)
      .where('updatedAt', '=', row.updatedAt)
      .returningAll()
      .executeTakeFirst(),

  /** Lets nobody change it before the end of the transaction. Whether it still is as it was read. */
  hold: async ({ applicationId, id, updatedAt }: ConnectionRow): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('connections')
      .set({ updatedAt })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('updatedAt', '=', updatedAt)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** The issuer that its client is of: this one, when nobody said so before. `undefined` when the connection has changed. */
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

  /** Says why the connection does not work. Whether that is news. */
  mark: async (applicationId: string, id: string, statusReason: StoredConnectionReason): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('connections')
      .set({ statusReason })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('statusReason', 'is', null), eb('statusReason', '!=', statusReason)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Takes its accounts, links and flows with it. */
  delete: async (applicationId: string, id: string): Promise<void> => {
    await database
      .deleteFrom('connections')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },
});

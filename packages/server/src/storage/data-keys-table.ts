import type { Database } from './database.js';
import type { DataKeyRow } from './schema.js';

export const dataKeysTable = (database: Database) => ({
  /** Of all applications. */
  count: async (): Promise<{ readonly count: number; readonly oldest: number | undefined }> => {
    const { fn } = database;
    const row = await database
      .selectFrom('dataKeys')
      .select([fn.countAll<number>().as('count'), fn.min('createdAt').as('oldest')])
      .executeTakeFirst();
    return { count: Number(row?.count ?? 0), oldest: row?.oldest ?? undefined };
  },

  find: (applicationId: string, id: string): Promise<DataKeyRow | undefined> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst(),

  newest: (applicationId: string): Promise<DataKeyRow | undefined> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('generation', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** The oldest first. */
  list: (applicationId: string): Promise<DataKeyRow[]> =>
    database
      .selectFrom('dataKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('generation')
      .execute(),

  /** Of all applications: the service's own, for keys are the operator's. In the order of their ids, those after `after`. */
  listAll: (after: string, limit: number): Promise<DataKeyRow[]> =>
    database.selectFrom('dataKeys').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute(),

  /** The applications that have so many keys or more, in the order of their ids, those after `after`. */
  owners: async (least: number, { after, limit }: { after: string; limit: number }): Promise<string[]> => {
    const rows = await database
      .selectFrom('dataKeys')
      .select('applicationId')
      .where('applicationId', '>', after)
      .groupBy('applicationId')
      .having(({ fn }) => fn.countAll(), '>=', least)
      .orderBy('applicationId')
      .limit(limit)
      .execute();
    return rows.map(({ applicationId }) => applicationId);
  },

  /** Whether it was stored: it is not when the application has a key of that generation. */
  insert: async (dataKey: DataKeyRow): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('dataKeys')
      .values(dataKey)
      .onConflict((conflict) => conflict.columns(['applicationId', 'generation']).doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  },

  /** Counts so many encryptions ahead. Whether there were so many left. */
  reserve: async (
    { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
    { count, most }: { readonly count: number; readonly most: number },
  ): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('dataKeys')
      .set(({ eb }) => ({ encryptions: eb('encryptions', '+', count) }))
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('encryptions', '<=', most - count)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Compare and set: the same key, wrapped by another root key. Whether it still was wrapped like this. */
  rewrap: async (
    { applicationId, id, wrappedKey }: Pick<DataKeyRow, 'applicationId' | 'id' | 'wrappedKey'>,
    to: string,
  ): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('dataKeys')
      .set({ wrappedKey: to })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('wrappedKey', '=', wrappedKey)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Since when nothing is encrypted with it; `null` when something is. */
  setUnusedSince: async (
    { applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>,
    unusedSince: number | null,
  ): Promise<void> => {
    await database
      .updateTable('dataKeys')
      .set({ unusedSince })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .execute();
  },

  /** Whether it was there. */
  delete: async ({ applicationId, id }: Pick<DataKeyRow, 'applicationId' | 'id'>): Promise<boolean> => {
    const { numDeletedRows } = await database
      .deleteFrom('dataKeys')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },

  /** All keys of the application. Gives the ids of those that were there. */
  deleteOf: async (applicationId: string): Promise<string[]> => {
    const rows = await database
      .deleteFrom('dataKeys')
      .where('applicationId', '=', applicationId)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  },
});

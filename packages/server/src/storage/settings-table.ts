import type { Database } from './database.js';

export const settingsTable = (database: Database) => ({
  /** Resolves when the database takes writes: one that a failover has left behind still answers who reads. Nothing is changed. */
  ping: async (): Promise<void> => {
    await database.updateTable('settings').set({ value: '' }).where('name', '=', '').execute();
  },

  find: async (name: string): Promise<string | undefined> => {
    const row = await database
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  },

  /** Stores the value unless there is one, and gives what is stored. */
  keepFirst: async (name: string, value: string): Promise<string> => {
    await database
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await database
      .selectFrom('settings')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return row.value;
  },

  /** For as long as the transaction runs, nobody else gets past this. */
  hold: async (name: string): Promise<void> => {
    await database
      .updateTable('settings')
      .set(({ ref }) => ({ value: ref('value') }))
      .where('name', '=', name)
      .execute();
  },

  /** Compare and set. Whether it still had that value. */
  replace: async (name: string, change: { readonly from: string; readonly to: string }): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('settings')
      .set({ value: change.to })
      .where('name', '=', name)
      .where('value', '=', change.from)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
});

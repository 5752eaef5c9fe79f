import { updates } from './affected-rows.js';
import type { Database } from './schema.js';

export const settingsTable = (database: Database) => ({
  /** Resolves when the database accepts writes, and changes nothing. After a failover, an old server still answers reads. */
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

  /** Stores the value unless there is one, and returns the stored value. */
  insertIfAbsent: async (name: string, value: string): Promise<string> => {
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

  /** Locks the row until the transaction ends. */
  lock: async (name: string): Promise<void> => {
    await database
      .updateTable('settings')
      .set(({ ref }) => ({ value: ref('value') }))
      .where('name', '=', name)
      .execute();
  },

  /** Compare and set. Returns whether the setting had the value `from`. */
  replace: (name: string, change: { readonly from: string; readonly to: string }): Promise<boolean> =>
    updates(
      database
        .updateTable('settings')
        .set({ value: change.to })
        .where('name', '=', name)
        .where('value', '=', change.from),
    ),
});

import { updates } from './affected-rows.js';
import type { Database } from './schema.js';

/** A text that fits into no page of SQLite, so that storing it takes new ones. */
const PING_VALUE = 'x'.repeat(8192);

export const settingsTable = (database: Database) => ({
  /**
   * Resolves when the database accepts a row that needs room on its disk, and removes the row. After a failover, an old server
   * still answers reads.
   */
  ping: async (name: string): Promise<void> => {
    await database.insertInto('settings').values({ name, value: PING_VALUE }).execute();
    await database.deleteFrom('settings').where('name', '=', name).execute();
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

import { updates } from './affected-rows.js';
import type { Database } from './schema.js';

/** Text that is larger than a SQLite page. Storing it needs new disk space, so the write fails if the disk is full. */
const PING_VALUE = 'x'.repeat(8192);

export const settingsTable = (database: Database) => ({
  /**
   * Writes and deletes a large row, to check that the database accepts writes and has disk space. Reading would not
   * suffice, because after a failover an old server may still respond to reads.
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

  /** Stores the value of a setting unless the setting already has one. Returns the stored value. */
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

  /** Locks the row of a setting until the transaction ends. */
  lock: async (name: string): Promise<void> => {
    await database
      .updateTable('settings')
      .set(({ ref }) => ({ value: ref('value') }))
      .where('name', '=', name)
      .execute();
  },

  /** Changes the setting to `to` if its stored value is still `from`. Returns true if it was. */
  replace: (name: string, change: { readonly from: string; readonly to: string }): Promise<boolean> =>
    updates(
      database
        .updateTable('settings')
        .set({ value: change.to })
        .where('name', '=', name)
        .where('value', '=', change.from),
    ),
});

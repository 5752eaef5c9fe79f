import type { Database } from './database.js';

export const settingsTable = (database: Database) => ({
  /** Resolves when the database answers. */
  ping: async (): Promise<void> => {
    await database.selectFrom('settings').select('name').limit(1).execute();
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
});

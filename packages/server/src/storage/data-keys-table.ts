import type { Database } from './database.js';
import type { DataKeyRow } from './schema.js';

export const dataKeysTable = (database: Database) => ({
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

  /** Does nothing when the application has a key of that generation. */
  insert: async (dataKey: DataKeyRow): Promise<void> => {
    await database
      .insertInto('dataKeys')
      .values(dataKey)
      .onConflict((conflict) => conflict.columns(['applicationId', 'generation']).doNothing())
      .execute();
  },
});

import type { Database } from './database.js';
import type { ApplicationOriginRow } from './token-rows.js';

/** What the origins of applications say, the other way round. */
export const applicationOriginsTable = (database: Database) => ({
  /** In the place of those that there were. */
  replace: async (applicationId: string, origins: readonly string[]): Promise<void> => {
    await database.deleteFrom('applicationOrigins').where('applicationId', '=', applicationId).execute();
    if (origins.length === 0) return;
    const rows = origins.map((origin) => ({ applicationId, origin }));
    await database.insertInto('applicationOrigins').values(rows).execute();
  },

  /** Of some applications, in the order of their texts. */
  ofSome: (applicationIds: readonly string[]): Promise<ApplicationOriginRow[]> =>
    database
      .selectFrom('applicationOrigins')
      .selectAll()
      .where('applicationId', 'in', applicationIds)
      .orderBy('origin')
      .execute(),

  /** Whether the application has registered it. */
  has: async (applicationId: string, origin: string): Promise<boolean> => {
    const row = await database
      .selectFrom('applicationOrigins')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('origin', '=', origin)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Whether any application has. */
  isKnown: async (origin: string): Promise<boolean> => {
    const row = await database
      .selectFrom('applicationOrigins')
      .select('origin')
      .where('origin', '=', origin)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
});

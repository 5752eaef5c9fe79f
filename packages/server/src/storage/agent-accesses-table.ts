import type { Database } from './database.js';
import type { AgentAccessRow } from './grant-rows.js';

export const agentAccessesTable = (database: Database) => ({
  find: (applicationId: string): Promise<AgentAccessRow | undefined> =>
    database
      .selectFrom('agentAccesses')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),

  /** In the place of what there was. */
  put: async ({ id, applicationId, createdAt, ...settings }: AgentAccessRow): Promise<void> => {
    await database
      .insertInto('agentAccesses')
      .values({ id, applicationId, createdAt, ...settings })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(settings))
      .execute();
  },

  /** Whether there was one. */
  delete: async (applicationId: string): Promise<boolean> => {
    const deleted = await database
      .deleteFrom('agentAccesses')
      .where('applicationId', '=', applicationId)
      .returning('applicationId')
      .executeTakeFirst();
    return deleted !== undefined;
  },
});

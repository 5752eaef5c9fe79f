import type { Database } from './database.js';
import type { AgentAccessRow } from './grant-rows.js';

export const agentAccessesTable = (database: Database) => ({
  find: (applicationId: string): Promise<AgentAccessRow | undefined> =>
    database
      .selectFrom('agentAccesses')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),

  /** In the place of what there was, whose secret stays for the same client of the same issuer when none is given. */
  put: ({ id, applicationId, createdAt, ...settings }: AgentAccessRow): Promise<AgentAccessRow> =>
    database
      .insertInto('agentAccesses')
      .values({ id, applicationId, createdAt, ...settings })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ and, eb, ref }) => {
          if (settings.clientSecret !== null) return settings;
          const isSame = and([
            eb('agentAccesses.issuer', '=', settings.issuer),
            eb('agentAccesses.clientId', '=', settings.clientId),
          ]);
          const kept = eb.case().when(isSame).then(ref('agentAccesses.clientSecret')).else(null).end();
          return { ...settings, clientSecret: kept };
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),

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

import type { Database } from './database.js';
import type { AgentClientRow } from './grant-rows.js';

export const agentClientsTable = (database: Database) => ({
  insert: async (client: AgentClientRow): Promise<void> => {
    await database.insertInto('agentClients').values(client).execute();
  },

  find: (applicationId: string, id: string): Promise<AgentClientRow | undefined> =>
    database
      .selectFrom('agentClients')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** Keeps it from being deleted until this transaction ends. Whether there is one. */
  hold: async (applicationId: string, id: string): Promise<boolean> => {
    const held = await database
      .updateTable('agentClients')
      .set(({ ref }) => ({ id: ref('id') }))
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .returning(['applicationId', 'id'])
      .executeTakeFirst();
    return held !== undefined;
  },

  /** All of an application, in the order in which they came: there are few. */
  list: (applicationId: string): Promise<AgentClientRow[]> =>
    database
      .selectFrom('agentClients')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /** Whether there was one. */
  delete: async (applicationId: string, id: string): Promise<boolean> => {
    const deleted = await database
      .deleteFrom('agentClients')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .returning(['applicationId', 'id'])
      .executeTakeFirst();
    return deleted !== undefined;
  },
});

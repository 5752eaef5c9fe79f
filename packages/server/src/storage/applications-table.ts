import type { Database } from './database.js';
import type { ApplicationRow, ClientSecretRow } from './schema.js';

const MOST_LIVE_SECRETS = 2;

export const applicationsTable = (database: Database) => ({
  first: (): Promise<ApplicationRow | undefined> =>
    database
      .selectFrom('applications')
      .selectAll()
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),

  find: (id: string): Promise<ApplicationRow | undefined> =>
    database.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirst(),

  insert: (application: ApplicationRow, clientSecret: ClientSecretRow): Promise<void> =>
    database.transaction().execute(async (transaction) => {
      await transaction.insertInto('applications').values(application).execute();
      await transaction.insertInto('clientSecrets').values(clientSecret).execute();
    }),

  liveSecrets: (applicationId: string): Promise<ClientSecretRow[]> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('revokedAt', 'is', null)
      .limit(MOST_LIVE_SECRETS)
      .execute(),

  /** Whether it was stored: it is not when two are live already. */
  addSecret: (clientSecret: ClientSecretRow): Promise<boolean> =>
    database.transaction().execute(async (transaction) => {
      const live = await transaction
        .selectFrom('clientSecrets')
        .select('id')
        .where('applicationId', '=', clientSecret.applicationId)
        .where('revokedAt', 'is', null)
        .execute();
      if (live.length >= MOST_LIVE_SECRETS) return false;
      await transaction.insertInto('clientSecrets').values(clientSecret).execute();
      return true;
    }),

  /** Whether there was such a live secret. */
  revokeSecret: async (applicationId: string, id: string, revokedAt: number): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('clientSecrets')
      .set({ revokedAt })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
});

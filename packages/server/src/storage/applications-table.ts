import type { Database } from './database.js';
import type { ApplicationRow, ClientSecretRow } from './schema.js';

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

  /** In the order in which they were made. */
  list: (
    after: Pick<ApplicationRow, 'createdAt' | 'id'> | undefined,
    limit: number,
  ): Promise<ApplicationRow[]> => {
    let select = database.selectFrom('applications').selectAll();
    if (after) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)),
      );
    }
    return select.orderBy('createdAt').orderBy('id').limit(limit).execute();
  },

  insert: async (application: ApplicationRow): Promise<void> => {
    await database.insertInto('applications').values(application).execute();
  },

  update: (
    id: string,
    change: Partial<Omit<ApplicationRow, 'id' | 'createdAt'>>,
  ): Promise<ApplicationRow | undefined> =>
    database
      .updateTable('applications')
      .set(({ ref }) => ({ id: ref('id'), ...change }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** With everything that it owns, its data keys included. Whether there was such an application. */
  delete: async (id: string): Promise<boolean> => {
    const { numDeletedRows } = await database
      .deleteFrom('applications')
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },

  /** Makes this transaction the only one that changes the application until it ends. Whether there is one. */
  hold: async (id: string): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('applications')
      .set(({ ref }) => ({ id: ref('id') }))
      .where('id', '=', id)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  liveSecrets: (applicationId: string): Promise<ClientSecretRow[]> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('revokedAt', 'is', null)
      .execute(),

  /** Live or revoked, in the order in which they were made. */
  secrets: (applicationId: string): Promise<ClientSecretRow[]> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /** By the digest alone, so that an unknown application and a wrong secret are the same miss of one index. */
  findLiveSecret: (applicationId: string, digest: string): Promise<ClientSecretRow | undefined> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('digest', '=', digest)
      .where('applicationId', '=', applicationId)
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),

  insertSecret: async (clientSecret: ClientSecretRow): Promise<void> => {
    await database.insertInto('clientSecrets').values(clientSecret).execute();
  },

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

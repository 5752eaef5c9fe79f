import type { Database } from './database.js';
import type { ClientRegistrationRow } from './schema.js';

/** What a registration is good for: it is never used with another issuer or redirect URI. */
export type RegistrationKey = Pick<
  ClientRegistrationRow,
  'applicationId' | 'connectionId' | 'issuer' | 'redirectUri'
>;

export const clientRegistrationsTable = (database: Database) => ({
  find: (key: RegistrationKey): Promise<ClientRegistrationRow | undefined> =>
    database
      .selectFrom('clientRegistrations')
      .selectAll()
      .where('applicationId', '=', key.applicationId)
      .where('connectionId', '=', key.connectionId)
      .where('issuer', '=', key.issuer)
      .where('redirectUri', '=', key.redirectUri)
      .executeTakeFirst(),

  /** Does nothing when there is one for the same use. */
  insert: async (registration: ClientRegistrationRow): Promise<void> => {
    await database
      .insertInto('clientRegistrations')
      .values(registration)
      .onConflict((conflict) =>
        conflict.columns(['applicationId', 'connectionId', 'issuer', 'redirectUri']).doNothing(),
      )
      .execute();
  },

  /** Whether it was there. */
  delete: async ({
    applicationId,
    id,
  }: Pick<ClientRegistrationRow, 'applicationId' | 'id'>): Promise<boolean> => {
    const { numDeletedRows } = await database
      .deleteFrom('clientRegistrations')
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
});

import type { Database } from './database.js';
import type { AccessTokenRow } from './schema.js';

export const accessTokensTable = (database: Database) => ({
  insert: async (token: AccessTokenRow): Promise<void> => {
    await database.insertInto('accessTokens').values(token).execute();
  },

  /** The live token of a digest: its client secret has not been revoked. The digest itself says whose it is. */
  findLive: (digest: string, now: number): Promise<AccessTokenRow | undefined> =>
    database
      .selectFrom('accessTokens')
      .innerJoin('clientSecrets', 'clientSecrets.id', 'accessTokens.clientSecretId')
      .selectAll('accessTokens')
      .where('accessTokens.digest', '=', digest)
      .where('accessTokens.expiresAt', '>', now)
      .where('clientSecrets.revokedAt', 'is', null)
      .executeTakeFirst(),
});

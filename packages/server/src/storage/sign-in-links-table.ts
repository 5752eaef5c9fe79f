import type { Database } from './database.js';
import type { OperatorRow, OperatorSignInLinkRow } from './operator-rows.js';

export const signInLinksTable = (database: Database) => ({
  insert: async (link: OperatorSignInLinkRow): Promise<void> => {
    await database.insertInto('operatorSignInLinks').values(link).execute();
  },

  /** The operator of a link that was good until now: whoever is first gets it, and nobody else. */
  take: async (digest: string, now: number): Promise<OperatorRow | undefined> => {
    const taken = await database
      .deleteFrom('operatorSignInLinks')
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .returning('operatorId')
      .executeTakeFirst();
    return (
      taken &&
      database.selectFrom('operators').selectAll().where('id', '=', taken.operatorId).executeTakeFirst()
    );
  },

  deleteOf: async (operatorId: string): Promise<void> => {
    await database.deleteFrom('operatorSignInLinks').where('operatorId', '=', operatorId).execute();
  },
});

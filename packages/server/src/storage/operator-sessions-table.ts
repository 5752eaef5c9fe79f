import type { Database } from './database.js';
import type { OperatorRole, OperatorSessionRow, SignedInBy } from './operator-rows.js';

/** A session that nobody has used for so long has ended. */
export const SESSION_IDLE_MS = 30 * 60_000;

/** The moments before which a session began, or was last used, are too long ago. */
export interface SessionLimits {
  readonly createdAfter: number;
  readonly usedAfter: number;
}

export interface LiveSession {
  readonly digest: string;
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly signedInBy: SignedInBy;
  readonly createdAt: number;
  readonly usedAt: number;
}

export const operatorSessionsTable = (database: Database) => ({
  insert: async (session: OperatorSessionRow): Promise<void> => {
    await database.insertInto('operatorSessions').values(session).execute();
  },

  findLive: (digest: string, { createdAfter, usedAfter }: SessionLimits): Promise<LiveSession | undefined> =>
    database
      .selectFrom('operatorSessions')
      .innerJoin('operators', 'operators.id', 'operatorSessions.operatorId')
      .selectAll('operatorSessions')
      .select(['operators.name', 'operators.role'])
      .where('digest', '=', digest)
      .where('operatorSessions.createdAt', '>', createdAfter)
      .where('operatorSessions.usedAt', '>', usedAfter)
      .executeTakeFirst(),

  isThere: async (digest: string): Promise<boolean> => {
    const found = await database
      .selectFrom('operatorSessions')
      .select('digest')
      .where('digest', '=', digest)
      .executeTakeFirst();
    return found !== undefined;
  },

  use: async (digest: string, usedAt: number): Promise<void> => {
    await database.updateTable('operatorSessions').set({ usedAt }).where('digest', '=', digest).execute();
  },

  delete: async (digest: string): Promise<void> => {
    await database.deleteFrom('operatorSessions').where('digest', '=', digest).execute();
  },

  /** Ends the operator's other sessions. This one goes on as one that began by a password. */
  keepOnly: async ({ digest, operatorId }: Pick<LiveSession, 'digest' | 'operatorId'>): Promise<void> => {
    await database
      .updateTable('operatorSessions')
      .set({ signedInBy: 'password' })
      .where('digest', '=', digest)
      .execute();
    await database
      .deleteFrom('operatorSessions')
      .where('operatorId', '=', operatorId)
      .where('digest', '!=', digest)
      .execute();
  },

  deleteOf: async (operatorId: string): Promise<void> => {
    await database.deleteFrom('operatorSessions').where('operatorId', '=', operatorId).execute();
  },
});

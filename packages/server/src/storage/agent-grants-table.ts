import type { Database } from './database.js';
import type { AgentGrantRow } from './grant-rows.js';
import type { NarrowedTokenCallRow } from './token-rows.js';

export interface GrantKey {
  readonly applicationId: string;
  readonly id: string;
}

export interface GrantList {
  readonly identifier?: string | undefined;
  /** Those that are older than this one. */
  readonly before?: Pick<AgentGrantRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const agentGrantsTable = (database: Database) => ({
  insert: async (grant: AgentGrantRow): Promise<void> => {
    await database.insertInto('agentGrants').values(grant).execute();
  },

  /** The live grant of an id. The seal of what was shown says whose it is. */
  findLive: (id: string, now: number): Promise<AgentGrantRow | undefined> =>
    database
      .selectFrom('agentGrants')
      .selectAll()
      .where('id', '=', id)
      .where('expiresAt', '>', now)
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),

  /** Newest first; those that ended too, for as long as they are kept. */
  list: (applicationId: string, { identifier, before, limit }: GrantList): Promise<AgentGrantRow[]> => {
    let select = database.selectFrom('agentGrants').selectAll().where('applicationId', '=', applicationId);
    if (identifier !== undefined) select = select.where('identifier', '=', identifier);
    if (before)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    return select.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  },

  /** One statement, so that of several who show the same refresh token one goes on. */
  renew: (
    { applicationId, id, generation, now }: GrantKey & { readonly generation: number; readonly now: number },
    expiresAt: number,
  ): Promise<AgentGrantRow | undefined> =>
    database
      .updateTable('agentGrants')
      .set({ generation: generation + 1, usedAt: now, expiresAt })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('generation', '=', generation)
      .where('revokedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returningAll()
      .executeTakeFirst(),

  /** Whether it had not been revoked. */
  revoke: async ({ applicationId, id }: GrantKey, revokedAt: number): Promise<boolean> => {
    const revoked = await database
      .updateTable('agentGrants')
      .set({ revokedAt })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .returning(['applicationId', 'id'])
      .executeTakeFirst();
    return revoked !== undefined;
  },

  /** Ids of those of a client that had not been revoked. */
  revokeOfClient: async (applicationId: string, clientId: string, revokedAt: number): Promise<string[]> => {
    const rows = await database
      .updateTable('agentGrants')
      .set({ revokedAt })
      .where('applicationId', '=', applicationId)
      .where('clientId', '=', clientId)
      .where('revokedAt', 'is', null)
      .returning(['applicationId', 'id'])
      .execute();
    return rows.map(({ id }) => id);
  },

  /** Counts a call of a token of a grant, unless there were `most` before it. Gives how many there were with it; `undefined` where it was not counted. */
  countCall: async (calls: Omit<NarrowedTokenCallRow, 'used'>, most: number): Promise<number | undefined> => {
    const counted = await database
      .insertInto('agentGrantCalls')
      .values({ ...calls, used: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['applicationId', 'tokenId', 'sealDigest'])
          .doUpdateSet(({ eb, ref }) => ({ used: eb(ref('agentGrantCalls.used'), '+', 1) }))
          .where('agentGrantCalls.used', '<', most),
      )
      .returning('used')
      .executeTakeFirst();
    return counted?.used;
  },

  /** How many counts a token has, with those of the tokens that were made from it. */
  countsOf: async (applicationId: string, tokenId: string): Promise<number> => {
    const { count } = await database
      .selectFrom('agentGrantCalls')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('applicationId', '=', applicationId)
      .where('tokenId', '=', tokenId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

import type { Database } from './database.js';
import type { NarrowedTokenCallRow, NarrowedTokenRow, TokenKind } from './token-rows.js';

export interface TokenList {
  readonly kind: TokenKind;
  /** Those that are older than this one. */
  readonly before?: Pick<NarrowedTokenRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const narrowedTokensTable = (database: Database) => ({
  insert: async (token: NarrowedTokenRow): Promise<void> => {
    await database.insertInto('narrowedTokens').values(token).execute();
  },

  /** The live token of an id: neither it nor its client secret has been revoked. The seal says whose it is. */
  findLive: (id: string, now: number): Promise<NarrowedTokenRow | undefined> =>
    database
      .selectFrom('narrowedTokens')
      .innerJoin('clientSecrets', 'clientSecrets.id', 'narrowedTokens.clientSecretId')
      .selectAll('narrowedTokens')
      .where('narrowedTokens.id', '=', id)
      .where('narrowedTokens.expiresAt', '>', now)
      .where('narrowedTokens.revokedAt', 'is', null)
      .where('clientSecrets.revokedAt', 'is', null)
      .executeTakeFirst(),

  /** Newest first. */
  list: (applicationId: string, { kind, before, limit }: TokenList): Promise<NarrowedTokenRow[]> => {
    let select = database
      .selectFrom('narrowedTokens')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('kind', '=', kind);
    if (before) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return select.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  },

  /** The token, when it had not been revoked. */
  revoke: (
    { applicationId, kind, id }: Pick<NarrowedTokenRow, 'applicationId' | 'kind' | 'id'>,
    revokedAt: number,
  ): Promise<NarrowedTokenRow | undefined> =>
    database
      .updateTable('narrowedTokens')
      .set({ revokedAt })
      .where('applicationId', '=', applicationId)
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where('revokedAt', 'is', null)
      .returningAll()
      .executeTakeFirst(),

  /** Counts a call, unless there were `most` before it: however many ask at once, no more get one. Gives how many there were with it; `undefined` where it was not counted. */
  countCall: async (calls: Omit<NarrowedTokenCallRow, 'used'>, most: number): Promise<number | undefined> => {
    const counted = await database
      .insertInto('narrowedTokenCalls')
      .values({ ...calls, used: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(['applicationId', 'tokenId', 'sealDigest'])
          .doUpdateSet(({ eb, ref }) => ({ used: eb(ref('narrowedTokenCalls.used'), '+', 1) }))
          .where('narrowedTokenCalls.used', '<', most),
      )
      .returning('used')
      .executeTakeFirst();
    return counted?.used;
  },

  /** How many counts a token has, with those of the tokens that were made from it. */
  countsOf: async (applicationId: string, tokenId: string): Promise<number> => {
    const { count } = await database
      .selectFrom('narrowedTokenCalls')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('applicationId', '=', applicationId)
      .where('tokenId', '=', tokenId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

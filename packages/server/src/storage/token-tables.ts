import type { RowCount } from '../page.js';
import { countRows } from './count-rows.js';
import type { AccessTokenRow, Database } from './schema.js';
import type { NarrowedTokenCallRow, NarrowedTokenRow, TokenKind } from './token-rows.js';

export const accessTokensTable = (database: Database) => ({
  insert: async (token: AccessTokenRow): Promise<void> => {
    await database.insertInto('accessTokens').values(token).execute();
  },

  /**
   * Finds an unexpired access token whose client secret is not revoked. No application id is needed, because the digest
   * is unique.
   */
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

export interface TokenList {
  readonly kind: TokenKind;
  readonly identifier?: string | undefined;
  /** If true, lists the oldest tokens first. */
  readonly oldestFirst?: boolean | undefined;
  /** Pagination cursor: only tokens after this one are listed, in the requested order. */
  readonly after?: Pick<NarrowedTokenRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const narrowedTokensTable = (database: Database) => ({
  insert: async (token: NarrowedTokenRow): Promise<void> => {
    await database.insertInto('narrowedTokens').values(token).execute();
  },

  /**
   * Finds a narrowed token (an access token with limits) that is neither expired nor revoked, and whose client secret
   * is not revoked. No application id is needed, because the token's signature proves the application.
   */
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

  /** Lists the users of the narrowed tokens (access tokens with limits) that have these ids. */
  usersOf: (
    applicationId: string,
    ids: readonly string[],
  ): Promise<Pick<NarrowedTokenRow, 'applicationId' | 'id' | 'identifier'>[]> =>
    database
      .selectFrom('narrowedTokens')
      .select(['applicationId', 'id', 'identifier'])
      .where('applicationId', '=', applicationId)
      .where('id', 'in', ids)
      .execute(),

  /**
   * Lists an application's narrowed tokens (access tokens with limits, for browsers and agents), newest first by
   * default.
   */
  list: (
    applicationId: string,
    { kind, identifier, after, oldestFirst = false, limit }: TokenList,
  ): Promise<NarrowedTokenRow[]> => {
    const order = oldestFirst ? 'asc' : 'desc';
    let select = database
      .selectFrom('narrowedTokens')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('kind', '=', kind);
    if (identifier !== undefined) select = select.where('identifier', '=', identifier);
    if (after) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), oldestFirst ? '>' : '<', tuple(after.createdAt, after.id)),
      );
    }
    return select.orderBy('createdAt', order).orderBy('id', order).limit(limit).execute();
  },

  /**
   * Counts the narrowed tokens (access tokens with limits) of one kind that belong to an application, or to one of its
   * users.
   */
  countListed: (
    applicationId: string,
    { kind, identifier }: Pick<TokenList, 'kind' | 'identifier'>,
  ): Promise<RowCount> => {
    const select = database
      .selectFrom('narrowedTokens')
      .select('id')
      .where('applicationId', '=', applicationId)
      .where('kind', '=', kind);
    return countRows(
      database,
      identifier === undefined ? select : select.where('identifier', '=', identifier),
    );
  },

  /**
   * Revokes a narrowed token (an access token with limits) and returns it. Returns `undefined` if it does not exist or
   * was already revoked.
   */
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

  /**
   * Counts a call under one call limit of a token, and returns the new number of calls. Returns `undefined` if the
   * number has already reached `most`. Runs a single statement, so that concurrent calls never exceed the limit.
   */
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

  /**
   * Returns the number of call counters of a narrowed token (an access token with limits). There is one for each of its
   * call limits, including those of tokens derived from it.
   */
  countLinks: async (applicationId: string, tokenId: string): Promise<number> => {
    const { count } = await database
      .selectFrom('narrowedTokenCalls')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('applicationId', '=', applicationId)
      .where('tokenId', '=', tokenId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

import type { RowCount } from '../page.js';
import { hasRow } from './affected-rows.js';
import { countRows } from './count-rows.js';
import type { AgentAccessRow, AgentClientRow, AgentGrantRow, AgentSignInRow } from './grant-rows.js';
import type { Database } from './schema.js';
import type { NarrowedTokenCallRow } from './token-rows.js';

export const agentAccessesTable = (database: Database) => ({
  find: (applicationId: string): Promise<AgentAccessRow | undefined> =>
    database
      .selectFrom('agentAccesses')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),

  /**
   * Inserts or replaces an application's sign-in settings for MCP clients. If no client secret is given, the stored one
   * is kept, provided that client id and issuer stay the same.
   */
  put: ({ id, applicationId, createdAt, ...settings }: AgentAccessRow): Promise<AgentAccessRow> =>
    database
      .insertInto('agentAccesses')
      .values({ id, applicationId, createdAt, ...settings })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(({ and, eb, ref }) => {
          if (settings.clientSecret !== null) return settings;
          const isSame = and([
            eb('agentAccesses.issuer', '=', settings.issuer),
            eb('agentAccesses.clientId', '=', settings.clientId),
          ]);
          const storedSecret = eb
            .case()
            .when(isSame)
            .then(ref('agentAccesses.clientSecret'))
            .else(null)
            .end();
          return { ...settings, clientSecret: storedSecret };
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),

  /** Deletes an application's sign-in settings for MCP clients. Returns true if they existed. */
  delete: (applicationId: string): Promise<boolean> =>
    hasRow(
      database
        .deleteFrom('agentAccesses')
        .where('applicationId', '=', applicationId)
        .returning('applicationId'),
    ),
});

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

  /** Locks the row of an MCP client until the transaction ends. Returns true if the client exists. */
  lock: (applicationId: string, id: string): Promise<boolean> =>
    hasRow(
      database
        .updateTable('agentClients')
        .set(({ ref }) => ({ id: ref('id') }))
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .returning(['applicationId', 'id']),
    ),

  /**
   * Lists all MCP clients of an application, oldest first. The list has no pages, because an application has only a few
   * clients.
   */
  list: (applicationId: string): Promise<AgentClientRow[]> =>
    database
      .selectFrom('agentClients')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /** Deletes an MCP client. Returns true if it existed. */
  delete: (applicationId: string, id: string): Promise<boolean> =>
    hasRow(
      database
        .deleteFrom('agentClients')
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .returning(['applicationId', 'id']),
    ),
});

/**
 * Sign-in to change. A change has no effect if the sign-in belongs to another application or has expired at the time
 * `now`.
 */
export interface OpenSignIn {
  readonly applicationId: string;
  readonly now: number;
}

// Time in milliseconds for which a used authorization code stays stored: one day. A second use of the code within this
// time revokes the grant.
const TAKEN_LIFE_MS = 86_400_000;

/**
 * Queries of users' sign-ins for MCP clients. The URL path names the application, and the digest of the browser's
 * secret finds the row.
 */
export const agentSignInsTable = (database: Database) => ({
  insert: async (row: AgentSignInRow): Promise<void> => {
    await database.insertInto('agentSignIns').values(row).execute();
  },

  /**
   * Stores the user whom the application identified by the sign-in's one-time ticket. Runs a single statement, so that
   * each ticket is used only once.
   */
  identify: async (
    { applicationId, now, ticketDigest }: OpenSignIn & Pick<AgentSignInRow, 'ticketDigest'>,
    user: { readonly identifier: string; readonly returnDigest: string },
  ): Promise<AgentSignInRow | undefined> =>
    database
      .updateTable('agentSignIns')
      .set(user)
      .where('ticketDigest', '=', ticketDigest)
      .where('applicationId', '=', applicationId)
      .where('issuer', 'is', null)
      .where('identifier', 'is', null)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returningAll()
      .executeTakeFirst(),

  findTicket: (applicationId: string, ticketDigest: string): Promise<AgentSignInRow | undefined> =>
    database
      .selectFrom('agentSignIns')
      .selectAll()
      .where('ticketDigest', '=', ticketDigest)
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),

  /**
   * Reserves a sign-in for one callback of the OpenID Connect issuer. Runs a single statement, so that only one of
   * several callbacks succeeds. Afterwards, `setIdentifier` stores the user.
   */
  claim: (
    { applicationId, now, id }: OpenSignIn & Pick<AgentSignInRow, 'id'>,
    returnDigest: string,
  ): Promise<boolean> =>
    hasRow(
      database
        .updateTable('agentSignIns')
        .set({ returnDigest })
        .where('id', '=', id)
        .where('applicationId', '=', applicationId)
        .where('issuer', 'is not', null)
        .where('returnDigest', 'is', null)
        .where('endedAt', 'is', null)
        .where('expiresAt', '>', now)
        .returning(['applicationId', 'id']),
    ),

  setIdentifier: async (applicationId: string, id: string, identifier: string): Promise<void> => {
    await database
      .updateTable('agentSignIns')
      .set({ identifier })
      .where('id', '=', id)
      .where('applicationId', '=', applicationId)
      .execute();
  },

  findReturning: (applicationId: string, returnDigest: string): Promise<AgentSignInRow | undefined> =>
    database
      .selectFrom('agentSignIns')
      .selectAll()
      .where('returnDigest', '=', returnDigest)
      .where('applicationId', '=', applicationId)
      .where('identifier', 'is not', null)
      .executeTakeFirst(),

  /**
   * Ends a user's sign-in for an MCP client. Stores the digest of the authorization code if the user consented. Returns
   * true if this call ended the sign-in.
   */
  end: (
    { applicationId, now, id }: OpenSignIn & Pick<AgentSignInRow, 'id'>,
    code?: Pick<AgentSignInRow, 'codeDigest' | 'expiresAt' | 'limits'>,
  ): Promise<boolean> =>
    hasRow(
      database
        .updateTable('agentSignIns')
        .set({ endedAt: now, ...code })
        .where('id', '=', id)
        .where('applicationId', '=', applicationId)
        .where('endedAt', 'is', null)
        .where('expiresAt', '>', now)
        .returning(['applicationId', 'id']),
    ),

  /**
   * Marks an authorization code as used, and returns its sign-in. Runs a single statement, so that each code is used
   * only once, even if the request fails later.
   */
  takeCode: (
    { applicationId, now, codeDigest }: OpenSignIn & { readonly codeDigest: string },
    grantId: string,
  ): Promise<AgentSignInRow | undefined> =>
    database
      .updateTable('agentSignIns')
      .set({ grantId, expiresAt: now + TAKEN_LIFE_MS })
      .where('codeDigest', '=', codeDigest)
      .where('applicationId', '=', applicationId)
      .where('grantId', 'is', null)
      .where('expiresAt', '>', now)
      .returningAll()
      .executeTakeFirst(),

  /**
   * Finds the sign-in to which an authorization code belongs, even if the code was used. The caller then revokes the
   * grant, because a second use of a code indicates an attack.
   */
  findCode: (applicationId: string, codeDigest: string): Promise<AgentSignInRow | undefined> =>
    database
      .selectFrom('agentSignIns')
      .selectAll()
      .where('codeDigest', '=', codeDigest)
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),
});

export interface GrantKey {
  readonly applicationId: string;
  readonly id: string;
}

export interface GrantList {
  readonly identifier?: string | undefined;
  /** If true, lists the oldest grants first. */
  readonly oldestFirst?: boolean | undefined;
  /** Pagination cursor: only grants after this one are listed, in the requested order. */
  readonly after?: Pick<AgentGrantRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const agentGrantsTable = (database: Database) => ({
  insert: async (grant: AgentGrantRow): Promise<void> => {
    await database.insertInto('agentGrants').values(grant).execute();
  },

  /**
   * Finds a grant that is neither expired nor revoked. No application id is needed, because the signature of the
   * caller's token proves the application.
   */
  findLive: (id: string, now: number): Promise<AgentGrantRow | undefined> =>
    database
      .selectFrom('agentGrants')
      .selectAll()
      .where('id', '=', id)
      .where('expiresAt', '>', now)
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),

  /** Lists the users who made the grants with these ids. */
  usersOf: (
    applicationId: string,
    ids: readonly string[],
  ): Promise<Pick<AgentGrantRow, 'applicationId' | 'id' | 'identifier'>[]> =>
    database
      .selectFrom('agentGrants')
      .select(['applicationId', 'id', 'identifier'])
      .where('applicationId', '=', applicationId)
      .where('id', 'in', ids)
      .execute(),

  /**
   * Lists the grants of an application, newest first by default. Expired and revoked grants are included until they are
   * deleted.
   */
  list: (
    applicationId: string,
    { identifier, after, oldestFirst = false, limit }: GrantList,
  ): Promise<AgentGrantRow[]> => {
    const order = oldestFirst ? 'asc' : 'desc';
    let select = database.selectFrom('agentGrants').selectAll().where('applicationId', '=', applicationId);
    if (identifier !== undefined) select = select.where('identifier', '=', identifier);
    if (after)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), oldestFirst ? '>' : '<', tuple(after.createdAt, after.id)),
      );
    return select.orderBy('createdAt', order).orderBy('id', order).limit(limit).execute();
  },

  /** Counts the grants of an application, or of one of its users. */
  countListed: (applicationId: string, { identifier }: Pick<GrantList, 'identifier'>): Promise<RowCount> => {
    const select = database.selectFrom('agentGrants').select('id').where('applicationId', '=', applicationId);
    return countRows(
      database,
      identifier === undefined ? select : select.where('identifier', '=', identifier),
    );
  },

  /**
   * Increments the number of a grant's refresh token. Runs a single statement, so that only one of several requests
   * with the same refresh token succeeds.
   */
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

  /** Revokes a user's grant to an MCP client. Returns true if this call revoked it. */
  revoke: ({ applicationId, id }: GrantKey, revokedAt: number): Promise<boolean> =>
    hasRow(
      database
        .updateTable('agentGrants')
        .set({ revokedAt })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('revokedAt', 'is', null)
        .returning(['applicationId', 'id']),
    ),

  /** Revokes all grants of an MCP client. Returns the ids of the grants that this call revoked. */
  revokeByClient: async (applicationId: string, clientId: string, revokedAt: number): Promise<string[]> => {
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

  /**
   * Counts a call with a token of the grant, and returns the new number of calls. Returns `undefined` if the number has
   * already reached `most`.
   */
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

  /**
   * Returns the number of call counters of a grant. There is one for each call limit of its tokens, including limits
   * that bearers added when they derived further tokens.
   */
  countLinks: async (applicationId: string, tokenId: string): Promise<number> => {
    const { count } = await database
      .selectFrom('agentGrantCalls')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('applicationId', '=', applicationId)
      .where('tokenId', '=', tokenId)
      .executeTakeFirstOrThrow();
    return Number(count);
  },
});

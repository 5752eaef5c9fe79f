import { hasRow } from './affected-rows.js';
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

  /** Inserts or replaces the row. Without a new secret, the old one stays for the same client of the same issuer. */
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
          const kept = eb.case().when(isSame).then(ref('agentAccesses.clientSecret')).else(null).end();
          return { ...settings, clientSecret: kept };
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),

  /** Returns whether there was such a row. */
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

  /** Locks the row until the transaction ends. Returns whether the client exists. */
  lock: (applicationId: string, id: string): Promise<boolean> =>
    hasRow(
      database
        .updateTable('agentClients')
        .set(({ ref }) => ({ id: ref('id') }))
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .returning(['applicationId', 'id']),
    ),

  /** All clients of an application, oldest first. There are few, so that no page is needed. */
  list: (applicationId: string): Promise<AgentClientRow[]> =>
    database
      .selectFrom('agentClients')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /** Returns whether there was such a client. */
  delete: (applicationId: string, id: string): Promise<boolean> =>
    hasRow(
      database
        .deleteFrom('agentClients')
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .returning(['applicationId', 'id']),
    ),
});

/** Key part of a sign-in of an application that has not ended. */
export interface OpenSignIn {
  readonly applicationId: string;
  readonly now: number;
}

// A used code is stored so long, because a second use of it revokes the grant.
const TAKEN_LIFE_MS = 86_400_000;

/** A browser is no application: the path names the application, and secrets that only the browser has find the row. */
export const agentSignInsTable = (database: Database) => ({
  insert: async (row: AgentSignInRow): Promise<void> => {
    await database.insertInto('agentSignIns').values(row).execute();
  },

  /** Stores the user that the application named. One statement, so that a ticket is used once, by its application. */
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

  /** Claims the sign-in for one callback of its issuer, before the user is known. Returns whether this call did. One statement. */
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

  /** Ends the sign-in, with a code when there is one. Returns whether this call ended it. */
  end: (
    { applicationId, now, id }: OpenSignIn & Pick<AgentSignInRow, 'id'>,
    code?: Pick<AgentSignInRow, 'codeDigest' | 'expiresAt'>,
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

  /** Uses up a code and returns its sign-in. One statement, so that a code is used once, whatever else is wrong with the request. */
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

  /** Finds the sign-in of a code, used or not. */
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
  /** Cursor: only grants older than this one. */
  readonly before?: Pick<AgentGrantRow, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export const agentGrantsTable = (database: Database) => ({
  insert: async (grant: AgentGrantRow): Promise<void> => {
    await database.insertInto('agentGrants').values(grant).execute();
  },

  /** Finds a grant that has neither expired nor been revoked. The seal of the presented token proves the application. */
  findLive: (id: string, now: number): Promise<AgentGrantRow | undefined> =>
    database
      .selectFrom('agentGrants')
      .selectAll()
      .where('id', '=', id)
      .where('expiresAt', '>', now)
      .where('revokedAt', 'is', null)
      .executeTakeFirst(),

  /** Newest first, with ended grants that are not deleted yet. */
  list: (applicationId: string, { identifier, before, limit }: GrantList): Promise<AgentGrantRow[]> => {
    let select = database.selectFrom('agentGrants').selectAll().where('applicationId', '=', applicationId);
    if (identifier !== undefined) select = select.where('identifier', '=', identifier);
    if (before)
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    return select.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
  },

  /** Moves the grant to its next generation. One statement, so that of several requests with the same refresh token one succeeds. */
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

  /** Returns whether this call revoked it. */
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

  /** Revokes the grants of a client. Returns the ids of those that were not revoked before. */
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

  /** Counts a call and returns the new count, or `undefined` when `most` calls were counted before. */
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

  /** Number of counted links of a token, with those of the tokens that were derived from it. */
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

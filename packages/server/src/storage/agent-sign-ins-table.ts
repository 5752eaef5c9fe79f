import type { Database } from './database.js';
import type { AgentSignInRow } from './grant-rows.js';

/** A sign-in of one application that has not ended. */
export interface OpenSignIn {
  readonly applicationId: string;
  readonly now: number;
}

// So long a code is known that was taken: one that comes again ends what it was exchanged for.
const TAKEN_LIFE_MS = 86_400_000;

/** A browser has no application: the application stands in the path, and secrets that only the browser holds find the row. */
export const agentSignInsTable = (database: Database) => ({
  insert: async (row: AgentSignInRow): Promise<void> => {
    await database.insertInto('agentSignIns').values(row).execute();
  },

  /** One statement: a ticket is taken once, by the application that it was made for. */
  identify: async (
    { applicationId, now, ticketDigest }: OpenSignIn & Pick<AgentSignInRow, 'ticketDigest'>,
    named: { readonly identifier: string; readonly returnDigest: string },
  ): Promise<AgentSignInRow | undefined> =>
    database
      .updateTable('agentSignIns')
      .set(named)
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

  /** One statement: of several answers of an issuer one is used. Nobody knows yet who has signed in. */
  claim: async (
    { applicationId, now, id }: OpenSignIn & Pick<AgentSignInRow, 'id'>,
    returnDigest: string,
  ): Promise<boolean> => {
    const claimed = await database
      .updateTable('agentSignIns')
      .set({ returnDigest })
      .where('id', '=', id)
      .where('applicationId', '=', applicationId)
      .where('issuer', 'is not', null)
      .where('returnDigest', 'is', null)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(['applicationId', 'id'])
      .executeTakeFirst();
    return claimed !== undefined;
  },

  name: async (applicationId: string, id: string, identifier: string): Promise<void> => {
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

  /** Ends it, with a code where there is one. Whether it was this call that did. */
  end: async (
    { applicationId, now, id }: OpenSignIn & Pick<AgentSignInRow, 'id'>,
    code?: Pick<AgentSignInRow, 'codeDigest' | 'expiresAt'>,
  ): Promise<boolean> => {
    const ended = await database
      .updateTable('agentSignIns')
      .set({ endedAt: now, ...code })
      .where('id', '=', id)
      .where('applicationId', '=', applicationId)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returning(['applicationId', 'id'])
      .executeTakeFirst();
    return ended !== undefined;
  },

  /** One statement: a code is taken once, whatever else is wrong with what came with it. */
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

  /** Of a code that was not taken, to see whether it was before. */
  findCode: (applicationId: string, codeDigest: string): Promise<AgentSignInRow | undefined> =>
    database
      .selectFrom('agentSignIns')
      .selectAll()
      .where('codeDigest', '=', codeDigest)
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),
});

import type { AuthorizationFlowRow, AuthorizationLinkRow } from './authorization-rows.js';
import type { Database } from './database.js';
import type { AccountRow } from './schema.js';

export interface CallbackKey {
  readonly stateDigest: string;
  readonly browserDigest: string;
  readonly connectionId: string;
  readonly now: number;
}

/** A browser has no application: the digest of a secret that only it holds finds the row, and the row says whose it is. */
export const authorizationFlowsTable = (database: Database) => ({
  insertLink: async (link: AuthorizationLinkRow): Promise<void> => {
    await database.insertInto('authorizationLinks').values(link).execute();
  },

  findLink: (tokenDigest: string): Promise<AuthorizationLinkRow | undefined> =>
    database
      .selectFrom('authorizationLinks')
      .selectAll()
      .where('tokenDigest', '=', tokenDigest)
      .executeTakeFirst(),

  /** One statement, so that a link is used once however many ask at the same time. Whether it was this call. */
  useLink: async (tokenDigest: string, now: number): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable('authorizationLinks')
      .set({ usedAt: now })
      .where('tokenDigest', '=', tokenDigest)
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  insertFlow: async (flow: AuthorizationFlowRow): Promise<void> => {
    await database.insertInto('authorizationFlows').values(flow).execute();
  },

  /** One statement: state, browser, connection and time must all fit, and the flow is consumed with the answer. */
  consumeFlow: ({ now, ...key }: CallbackKey): Promise<AuthorizationFlowRow | undefined> =>
    database
      .updateTable('authorizationFlows')
      .set({ consumedAt: now })
      .where('stateDigest', '=', key.stateDigest)
      .where('browserDigest', '=', key.browserDigest)
      .where('connectionId', '=', key.connectionId)
      .where('consumedAt', 'is', null)
      .where('expiresAt', '>', now)
      .returningAll()
      .executeTakeFirst(),

  /** Of a callback that did not fit, for the audit log alone. */
  findFlow: (stateDigest: string): Promise<AuthorizationFlowRow | undefined> =>
    database
      .selectFrom('authorizationFlows')
      .selectAll()
      .where('stateDigest', '=', stateDigest)
      .executeTakeFirst(),

  /** Notes a refusal. Whether it was the first one of this link or flow. */
  refuse: async (
    table: 'authorizationLinks' | 'authorizationFlows',
    id: string,
    now: number,
  ): Promise<boolean> => {
    const { numUpdatedRows } = await database
      .updateTable(table)
      .set({ refusedAt: now })
      .where('id', '=', id)
      .where('refusedAt', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  /** Links and flows of an account. */
  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    for (const table of ['authorizationLinks', 'authorizationFlows'] as const)
      await database
        .deleteFrom(table)
        .where('applicationId', '=', applicationId)
        .where('accountId', '=', id)
        .execute();
  },
});

import { deletes, updates } from './affected-rows.js';
import type { AuthorizationFlowRow, AuthorizationLinkRow, PendingConsentRow } from './authorization-rows.js';
import type { AccountRow, Database } from './schema.js';

export interface CallbackKey {
  readonly stateDigest: string;
  readonly browserDigest: string;
  readonly connectionId: string;
  readonly now: number;
}

export interface LinkUse {
  readonly tokenDigest: string;
  readonly browserDigest: string;
  readonly now: number;
  /**
   * Limit for another use of an authorization link by the same browser, which is allowed if its first use was after
   * this time.
   */
  readonly openSince: number;
}

/**
 * Queries of authorization links. The digest of the token in the link finds the row, without an application id, because
 * a browser does not know it.
 */
export const authorizationLinksTable = (database: Database) => ({
  insert: async (link: AuthorizationLinkRow): Promise<void> => {
    await database.insertInto('authorizationLinks').values(link).execute();
  },

  find: (tokenDigest: string): Promise<AuthorizationLinkRow | undefined> =>
    database
      .selectFrom('authorizationLinks')
      .selectAll()
      .where('tokenDigest', '=', tokenDigest)
      .executeTakeFirst(),

  findById: (id: string): Promise<AuthorizationLinkRow | undefined> =>
    database.selectFrom('authorizationLinks').selectAll().where('id', '=', id).executeTakeFirst(),

  /**
   * Marks the authorization link as used by a browser in a single statement, so that only one of several browsers
   * succeeds. The same browser succeeds again while the link has not ended. Returns whether this call succeeded.
   */
  use: ({ tokenDigest, browserDigest, now, openSince }: LinkUse): Promise<boolean> =>
    updates(
      database
        .updateTable('authorizationLinks')
        .set(({ fn, val }) => ({ usedAt: fn.coalesce('usedAt', val(now)), browserDigest }))
        .where('tokenDigest', '=', tokenDigest)
        .where('outcome', 'is', null)
        .where(({ or, and, eb }) =>
          or([
            and([eb('usedAt', 'is', null), eb('expiresAt', '>', now)]),
            and([eb('browserDigest', '=', browserDigest), eb('usedAt', '>', openSince)]),
          ]),
        ),
    ),

  /**
   * Stores how an authorization link ended. A later success replaces a failure, which another tab of the browser may
   * have reported. A failure replaces no success.
   */
  end: async (
    { applicationId, id }: Pick<AuthorizationLinkRow, 'applicationId' | 'id'>,
    { outcome, now }: { readonly outcome: string; readonly now: number },
  ): Promise<boolean> => {
    const update = database
      .updateTable('authorizationLinks')
      .set({ outcome, endedAt: now })
      .where('applicationId', '=', applicationId)
      .where('id', '=', id);
    if (outcome === 'connected') return updates(update);
    return updates(
      update.where(({ or, eb }) => or([eb('outcome', 'is', null), eb('outcome', '=', 'verifying')])),
    );
  },

  /**
   * Stores when a use was refused. Returns whether this was the first refusal of the authorization link, because only
   * the first refusal is written to the audit log.
   */
  refuse: (id: string, now: number): Promise<boolean> =>
    updates(
      database
        .updateTable('authorizationLinks')
        .set({ refusedAt: now })
        .where('id', '=', id)
        .where('refusedAt', 'is', null),
    ),

  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    await database
      .deleteFrom('authorizationLinks')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', id)
      .execute();
  },
});

/**
 * Queries of OAuth flows. The digests of the state and of the browser's secret find the row, without an application id,
 * because a browser does not know it.
 */
export const authorizationFlowsTable = (database: Database) => ({
  insert: async (flow: AuthorizationFlowRow): Promise<void> => {
    await database.insertInto('authorizationFlows').values(flow).execute();
  },

  /**
   * Finds an OAuth flow by state, browser, connection and time, and marks it as consumed. A single statement does both,
   * so that no flow is consumed twice.
   */
  consume: ({ now, ...key }: CallbackKey): Promise<AuthorizationFlowRow | undefined> =>
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

  /** Finds the OAuth flow of a refused callback by its state. Use the result only for the audit log. */
  find: (stateDigest: string): Promise<AuthorizationFlowRow | undefined> =>
    database
      .selectFrom('authorizationFlows')
      .selectAll()
      .where('stateDigest', '=', stateDigest)
      .executeTakeFirst(),

  /**
   * Stores when a use was refused. Returns whether this was the first refusal of the OAuth flow, because only the first
   * refusal is written to the audit log.
   */
  refuse: (id: string, now: number): Promise<boolean> =>
    updates(
      database
        .updateTable('authorizationFlows')
        .set({ refusedAt: now })
        .where('id', '=', id)
        .where('refusedAt', 'is', null),
    ),

  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    await database
      .deleteFrom('authorizationFlows')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', id)
      .execute();
  },
});

/** Key of a pending consent: the digest of a secret that only the user's browser and the application receive. */
export interface PendingConsentKey {
  readonly applicationId: string;
  readonly requestDigest: string;
  readonly now: number;
}

export const pendingConsentsTable = (database: Database) => ({
  insert: async (pending: PendingConsentRow): Promise<void> => {
    await database.insertInto('pendingApprovals').values(pending).execute();
  },

  find: ({ applicationId, requestDigest, now }: PendingConsentKey): Promise<PendingConsentRow | undefined> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('requestDigest', '=', requestDigest)
      .where('expiresAt', '>', now)
      .executeTakeFirst(),

  /**
   * Finds the application that owns a pending consent, only for the audit log. The column is renamed to `ownerId`,
   * because the caller may be another application. `refuseForeignRows` would refuse a row with the `applicationId` of
   * another application.
   */
  findOwner: (requestDigest: string): Promise<{ ownerId: string; accountId: string } | undefined> =>
    database
      .selectFrom('pendingApprovals')
      .select(['applicationId as ownerId', 'accountId'])
      .where('requestDigest', '=', requestDigest)
      .executeTakeFirst(),

  ofAccount: (applicationId: string, accountId: string): Promise<PendingConsentRow[]> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', accountId)
      .execute(),

  expired: (now: number, limit: number): Promise<PendingConsentRow[]> =>
    database
      .selectFrom('pendingApprovals')
      .selectAll()
      .where('expiresAt', '<=', now)
      .orderBy('expiresAt')
      .limit(limit)
      .execute(),

  /**
   * Deletes the pending consent with its tokens. Returns whether this call deleted it: only one of several concurrent
   * calls does.
   */
  take: (applicationId: string, id: string): Promise<boolean> =>
    deletes(
      database.deleteFrom('pendingApprovals').where('applicationId', '=', applicationId).where('id', '=', id),
    ),

  /** Deletes all pending consents of an account, with their tokens. */
  deleteOf: async ({ applicationId, id }: Pick<AccountRow, 'applicationId' | 'id'>): Promise<void> => {
    await database
      .deleteFrom('pendingApprovals')
      .where('applicationId', '=', applicationId)
      .where('accountId', '=', id)
      .execute();
  },
});

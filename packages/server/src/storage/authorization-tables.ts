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
   * Time in milliseconds since 1970. The same browser may use an authorization link again if its first use was after
   * this time.
   */
  readonly openSince: number;
}

/**
 * Queries of authorization links. They find a link by the digest of its token and not by application id, because a
 * browser does not know that id.
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
   * Marks the authorization link as used by a browser. A single statement does this, so that only one of several
   * browsers succeeds. The same browser can use the link again until the link has ended. Returns true if this call
   * succeeded.
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
   * Stores how an authorization link ended. A success replaces an earlier failure, which another tab of the browser may
   * have caused. A failure never replaces a success. Returns false if nothing was stored. For `connected` and
   * `verifying`, that means that the link was deleted.
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
    if (outcome === 'connected' || outcome === 'verifying') return updates(update);
    return updates(
      update.where(({ or, eb }) => or([eb('outcome', 'is', null), eb('outcome', '=', 'verifying')])),
    );
  },

  /**
   * Stores the time when the use of an authorization link was refused. Returns true for the link's first refusal,
   * because only that is written to the audit log.
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
 * Queries of OAuth flows. They find a flow by the digests of its state and of the browser's secret and not by
 * application id, because a browser does not know that id.
 */
export const authorizationFlowsTable = (database: Database) => ({
  insert: async (flow: AuthorizationFlowRow): Promise<void> => {
    await database.insertInto('authorizationFlows').values(flow).execute();
  },

  /**
   * Finds an unexpired OAuth flow by state, browser and connection, and marks it as consumed. A single statement does
   * both, so that no flow is consumed twice.
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
   * Stores the time when a callback of an OAuth flow was refused. Returns true for the flow's first refusal, because
   * only that is written to the audit log.
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

/** Key of a pending consent: the digest of a secret that only the user's browser and the application get. */
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
   * Finds the application that owns a pending consent. Use the result only for the audit log. The column is renamed to
   * `ownerId`, because `refuseForeignRows` would refuse a row with the `applicationId` of another application than the
   * caller.
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

  /** Deletes the pending consent with its tokens. Returns true for only one of several concurrent calls. */
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

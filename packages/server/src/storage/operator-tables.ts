import { hasRow, inserts, updates } from './affected-rows.js';
import type {
  OperatorPasskeyRow,
  OperatorRole,
  OperatorRow,
  OperatorSessionRow,
  OperatorSignInLinkRow,
  SignedInBy,
  UsedChallengeRow,
} from './operator-rows.js';
import type { Database } from './schema.js';

export const operatorsTable = (database: Database) => ({
  list: (): Promise<OperatorRow[]> => database.selectFrom('operators').selectAll().orderBy('name').execute(),

  find: (id: string): Promise<OperatorRow | undefined> =>
    database.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst(),

  findByName: (name: string): Promise<OperatorRow | undefined> =>
    database.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirst(),

  isEmpty: async (): Promise<boolean> =>
    (await database.selectFrom('operators').select('id').limit(1).executeTakeFirst()) === undefined,

  /** Finds the oldest operator with the role `owner`. */
  firstOwner: (): Promise<OperatorRow | undefined> =>
    database
      .selectFrom('operators')
      .selectAll()
      .where('role', '=', 'owner')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),

  /** Inserts an operator. Returns false if the name is already in use. */
  insert: (operator: OperatorRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('operators')
        .values(operator)
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),

  /**
   * Sets the password hash of an operator, and returns the operator. Returns `undefined` if no operator has this name.
   */
  setPassword: (name: string, passwordHash: string): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set({ passwordHash })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst(),

  /** Sets the role of an operator, and returns the operator. Returns `undefined` if no operator has this name. */
  setRole: (name: string, role: OperatorRole): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set({ role })
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst(),

  /**
   * Locks the operator's row until the transaction ends, and returns the operator. Returns `undefined` if the operator
   * was deleted.
   */
  lock: (id: string): Promise<OperatorRow | undefined> =>
    database
      .updateTable('operators')
      .set(({ ref }) => ({ id: ref('id') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  setSignedInAt: async (id: string, signedInAt: number): Promise<void> => {
    await database.updateTable('operators').set({ signedInAt }).where('id', '=', id).execute();
  },

  /** Deletes an operator with all sessions, and returns the deleted row. */
  delete: (name: string): Promise<OperatorRow | undefined> =>
    database.deleteFrom('operators').where('name', '=', name).returningAll().executeTakeFirst(),
});

/** Time in milliseconds without a request after which an operator session expires: 30 minutes. */
export const SESSION_IDLE_MS = 30 * 60_000;

/**
 * Earliest creation time and earliest last use of a valid operator session. A session with an earlier time has expired.
 */
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

  exists: (digest: string): Promise<boolean> =>
    hasRow(database.selectFrom('operatorSessions').select('digest').where('digest', '=', digest)),

  use: async (digest: string, usedAt: number): Promise<void> => {
    await database.updateTable('operatorSessions').set({ usedAt }).where('digest', '=', digest).execute();
  },

  delete: async (digest: string): Promise<void> => {
    await database.deleteFrom('operatorSessions').where('digest', '=', digest).execute();
  },

  /**
   * Deletes all other sessions of the operator after the password was changed. The remaining session then counts as one
   * that was started by password.
   */
  deleteOthers: async ({ digest, operatorId }: Pick<LiveSession, 'digest' | 'operatorId'>): Promise<void> => {
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

export const signInLinksTable = (database: Database) => ({
  insert: async (link: OperatorSignInLinkRow): Promise<void> => {
    await database.insertInto('operatorSignInLinks').values(link).execute();
  },

  /**
   * Marks an unexpired sign-in link as used, and returns its operator. Only one of several concurrent calls succeeds.
   * The row remains, so that a second use of the link does not count as a guess.
   */
  take: async (digest: string, now: number): Promise<OperatorRow | undefined> => {
    const taken = await database
      .updateTable('operatorSignInLinks')
      .set({ expiresAt: now })
      .where('digest', '=', digest)
      .where('expiresAt', '>', now)
      .returning('operatorId')
      .executeTakeFirst();
    return (
      taken &&
      database.selectFrom('operators').selectAll().where('id', '=', taken.operatorId).executeTakeFirst()
    );
  },

  find: (digest: string): Promise<OperatorSignInLinkRow | undefined> =>
    database.selectFrom('operatorSignInLinks').selectAll().where('digest', '=', digest).executeTakeFirst(),

  /** Ends all unexpired sign-in links of an operator. */
  endOf: async (operatorId: string, now: number): Promise<void> => {
    await database
      .updateTable('operatorSignInLinks')
      .set({ expiresAt: now })
      .where('operatorId', '=', operatorId)
      .where('expiresAt', '>', now)
      .execute();
  },
});

export const passkeysTable = (database: Database) => ({
  listOf: (operatorId: string): Promise<OperatorPasskeyRow[]> =>
    database
      .selectFrom('operatorPasskeys')
      .selectAll()
      .where('operatorId', '=', operatorId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  findByCredential: (credentialId: string): Promise<OperatorPasskeyRow | undefined> =>
    database
      .selectFrom('operatorPasskeys')
      .selectAll()
      .where('credentialId', '=', credentialId)
      .executeTakeFirst(),

  /** Inserts a passkey. Returns false if its credential is already registered. */
  insert: (passkey: OperatorPasskeyRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('operatorPasskeys')
        .values(passkey)
        .onConflict((conflict) => conflict.column('credentialId').doNothing()),
    ),

  /**
   * Stores the new signature counter of a passkey. Stores nothing and returns false if the counter did not grow, which
   * indicates a cloned passkey. Authenticators that do not count always send 0.
   */
  use: (id: string, { counter, usedAt }: { counter: number; usedAt: number }): Promise<boolean> =>
    updates(
      database
        .updateTable('operatorPasskeys')
        .set({ counter, usedAt })
        .where('id', '=', id)
        .where((each) =>
          each.or([each('counter', '<', counter), each('counter', '=', counter === 0 ? 0 : -1)]),
        ),
    ),

  /** Deletes a passkey, and returns the deleted row. Returns `undefined` if the operator has no such passkey. */
  delete: (operatorId: string, id: string): Promise<OperatorPasskeyRow | undefined> =>
    database
      .deleteFrom('operatorPasskeys')
      .where('id', '=', id)
      .where('operatorId', '=', operatorId)
      .returningAll()
      .executeTakeFirst(),

  deleteOf: async (operatorId: string): Promise<void> => {
    await database.deleteFrom('operatorPasskeys').where('operatorId', '=', operatorId).execute();
  },

  /** Records that an authenticator has answered the WebAuthn challenge. Returns false if that was already recorded. */
  completeChallenge: (challenge: UsedChallengeRow): Promise<boolean> =>
    inserts(
      database
        .insertInto('usedChallenges')
        .values(challenge)
        .onConflict((conflict) => conflict.column('digest').doNothing()),
    ),

  /** Returns true if an authenticator has already answered the WebAuthn challenge. */
  isChallengeUsed: (digest: string): Promise<boolean> =>
    hasRow(database.selectFrom('usedChallenges').select('digest').where('digest', '=', digest)),
});

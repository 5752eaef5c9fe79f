import type { RowCount } from '../page.js';
import { deletes, hasRow, inserts, updates } from './affected-rows.js';
import { countRows } from './count-rows.js';
import type {
  ApplicationOriginRow,
  ApplicationRow,
  ClientSecretRow,
  Database,
  IdempotencyKeyRow,
} from './schema.js';

export const applicationsTable = (database: Database) => ({
  first: (): Promise<ApplicationRow | undefined> =>
    database
      .selectFrom('applications')
      .selectAll()
      .orderBy('createdAt')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),

  find: (id: string): Promise<ApplicationRow | undefined> =>
    database.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirst(),

  /** Lists applications, oldest first, beginning after the application `after`. */
  list: (
    after: Pick<ApplicationRow, 'createdAt' | 'id'> | undefined,
    limit: number,
  ): Promise<ApplicationRow[]> => {
    let select = database.selectFrom('applications').selectAll();
    if (after) {
      select = select.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '>', tuple(after.createdAt, after.id)),
      );
    }
    return select.orderBy('createdAt').orderBy('id').limit(limit).execute();
  },

  countListed: (): Promise<RowCount> =>
    countRows(database, database.selectFrom('applications').select('id').orderBy('createdAt').orderBy('id')),

  insert: async (application: ApplicationRow): Promise<void> => {
    await database.insertInto('applications').values(application).execute();
  },

  update: (
    id: string,
    change: Partial<Omit<ApplicationRow, 'id' | 'createdAt'>>,
  ): Promise<ApplicationRow | undefined> =>
    database
      .updateTable('applications')
      .set(({ ref }) => ({ id: ref('id'), ...change }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Deletes the application with everything that it owns, including its data keys. Returns true if it existed. */
  delete: (id: string): Promise<boolean> => deletes(database.deleteFrom('applications').where('id', '=', id)),

  /** Locks the application's row until the transaction ends. Returns true if the application exists. */
  lock: (id: string): Promise<boolean> =>
    updates(
      database
        .updateTable('applications')
        .set(({ ref }) => ({ id: ref('id') }))
        .where('id', '=', id),
    ),

  liveSecrets: (applicationId: string): Promise<ClientSecretRow[]> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('revokedAt', 'is', null)
      .execute(),

  /** Lists the client secrets of an application, oldest first, both valid and revoked ones. */
  secrets: (applicationId: string): Promise<ClientSecretRow[]> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /**
   * Finds a client secret, revoked or not. Searches only by the digest, so that an unknown application and a wrong
   * secret take the same time and the duration reveals nothing.
   */
  findSecret: (applicationId: string, digest: string): Promise<ClientSecretRow | undefined> =>
    database
      .selectFrom('clientSecrets')
      .selectAll()
      .where('digest', '=', digest)
      .where('applicationId', '=', applicationId)
      .executeTakeFirst(),

  insertSecret: async (clientSecret: ClientSecretRow): Promise<void> => {
    await database.insertInto('clientSecrets').values(clientSecret).execute();
  },

  /** Revokes a client secret. Returns false if it does not exist or was already revoked. */
  revokeSecret: (applicationId: string, id: string, revokedAt: number): Promise<boolean> =>
    updates(
      database
        .updateTable('clientSecrets')
        .set({ revokedAt })
        .where('applicationId', '=', applicationId)
        .where('id', '=', id)
        .where('revokedAt', 'is', null),
    ),
});

/** Queries of the browser origins that applications have registered for CORS. */
export const applicationOriginsTable = (database: Database) => ({
  /** Replaces all origins that the application has registered. */
  replace: async (applicationId: string, origins: readonly string[]): Promise<void> => {
    await database.deleteFrom('applicationOrigins').where('applicationId', '=', applicationId).execute();
    if (origins.length === 0) return;
    const rows = origins.map((origin) => ({ applicationId, origin }));
    await database.insertInto('applicationOrigins').values(rows).execute();
  },

  /** Lists the origins that several applications have registered, sorted by origin. */
  listByApplications: (applicationIds: readonly string[]): Promise<ApplicationOriginRow[]> =>
    database
      .selectFrom('applicationOrigins')
      .selectAll()
      .where('applicationId', 'in', applicationIds)
      .orderBy('origin')
      .execute(),

  /** Returns true if this application has registered the origin. */
  has: (applicationId: string, origin: string): Promise<boolean> =>
    hasRow(
      database
        .selectFrom('applicationOrigins')
        .selectAll()
        .where('applicationId', '=', applicationId)
        .where('origin', '=', origin),
    ),

  /** Returns true if at least one application has registered the origin. */
  isKnown: (origin: string): Promise<boolean> =>
    hasRow(database.selectFrom('applicationOrigins').select('origin').where('origin', '=', origin).limit(1)),
});

/**
 * Key of an API call with an idempotency key that is running. `runId` identifies the attempt that holds the lease; no
 * other attempt of the call runs at the same time.
 */
export type IdempotencyRun = Pick<IdempotencyKeyRow, 'applicationId' | 'keyDigest' | 'runId'>;

export const idempotencyKeysTable = (database: Database) => ({
  /**
   * Acquires the lease of an idempotency key in a single statement. Returns false if another attempt of the API call
   * holds the lease or has stored a response.
   */
  start: (row: IdempotencyKeyRow, now: number): Promise<boolean> => {
    const { applicationId, keyDigest, ...fields } = row;
    return inserts(
      database
        .insertInto('idempotencyKeys')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['applicationId', 'keyDigest'])
            .doUpdateSet(fields)
            .where(({ and, eb, or }) =>
              or([
                eb('idempotencyKeys.expiresAt', '<=', now),
                and([
                  eb('idempotencyKeys.response', 'is', null),
                  eb('idempotencyKeys.leaseUntil', '<=', now),
                ]),
              ]),
            ),
        ),
    );
  },

  find: (applicationId: string, keyDigest: string): Promise<IdempotencyKeyRow | undefined> =>
    database
      .selectFrom('idempotencyKeys')
      .selectAll()
      .where('applicationId', '=', applicationId)
      .where('keyDigest', '=', keyDigest)
      .executeTakeFirst(),

  update: async (
    run: IdempotencyRun,
    change: Partial<Pick<IdempotencyKeyRow, 'response' | 'leaseUntil' | 'accountId' | 'connectionId'>>,
  ): Promise<void> => {
    await database
      .updateTable('idempotencyKeys')
      .set(change)
      .where('applicationId', '=', run.applicationId)
      .where('keyDigest', '=', run.keyDigest)
      .where('runId', '=', run.runId)
      .execute();
  },

  delete: async (run: IdempotencyRun): Promise<void> => {
    await database
      .deleteFrom('idempotencyKeys')
      .where('applicationId', '=', run.applicationId)
      .where('keyDigest', '=', run.keyDigest)
      .where('runId', '=', run.runId)
      .execute();
  },
});

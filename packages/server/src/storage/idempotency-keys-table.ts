import type { Database } from './database.js';
import type { IdempotencyKeyRow } from './schema.js';

/** One run of a call that has a key. */
export type IdempotencyRun = Pick<IdempotencyKeyRow, 'applicationId' | 'keyDigest' | 'runId'>;

export const idempotencyKeysTable = (database: Database) => ({
  /** One statement: the key is this run's unless another one holds or has answered it. Whether it is. */
  start: async (row: IdempotencyKeyRow, now: number): Promise<boolean> => {
    const { applicationId, keyDigest, ...fields } = row;
    const started = await database
      .insertInto('idempotencyKeys')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['applicationId', 'keyDigest'])
          .doUpdateSet(fields)
          .where(({ and, eb, or }) =>
            or([
              eb('idempotencyKeys.expiresAt', '<=', now),
              and([eb('idempotencyKeys.answer', 'is', null), eb('idempotencyKeys.leaseUntil', '<=', now)]),
            ]),
          ),
      )
      .returning('runId')
      .executeTakeFirst();
    return started !== undefined;
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
    change: Partial<Pick<IdempotencyKeyRow, 'answer' | 'leaseUntil' | 'accountId' | 'connectionId'>>,
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

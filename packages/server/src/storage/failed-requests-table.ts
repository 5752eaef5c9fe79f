import type { Database, FailedRequestRow } from './schema.js';

/** Queries of failed requests that have no execution. */
export const failedRequestsTable = (database: Database) => ({
  /** Inserts failed requests. Does not change rows that already exist. */
  insert: async (rows: readonly FailedRequestRow[]): Promise<void> => {
    await database
      .insertInto('failedRequests')
      .values(rows)
      .onConflict((conflict) => conflict.column('requestId').doNothing())
      .execute();
  },
});

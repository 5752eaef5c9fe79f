import type { Database, FailedRequestRow } from './schema.js';

/** Queries of the failed requests that have no execution of their own. */
export const failedRequestsTable = (database: Database) => ({
  /** Inserts failed requests. Rows that already exist remain unchanged. */
  insert: async (rows: readonly FailedRequestRow[]): Promise<void> => {
    await database
      .insertInto('failedRequests')
      .values(rows)
      .onConflict((conflict) => conflict.column('requestId').doNothing())
      .execute();
  },
});

import type { DeleteResult, InsertResult, UpdateResult } from 'kysely';

interface Query<Result> {
  readonly executeTakeFirst: () => Promise<Result>;
}

/** Returns whether the statement inserted a row: it does not on a conflict. */
export const inserts = async (query: Query<InsertResult>): Promise<boolean> =>
  ((await query.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;

/** Returns whether the statement found a row to update. */
export const updates = async (query: Query<UpdateResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numUpdatedRows > 0n;

/** Returns whether the statement found a row to delete. */
export const deletes = async (query: Query<DeleteResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numDeletedRows > 0n;

/** Returns whether the query has a row. */
export const hasRow = async (query: Query<object | undefined>): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

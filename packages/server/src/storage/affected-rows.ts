import type { DeleteResult, InsertResult, UpdateResult } from 'kysely';

interface Query<Result> {
  readonly executeTakeFirst: () => Promise<Result>;
}

/**
 * Returns whether the statement inserted a row. A statement with `on conflict do nothing` inserts none on a conflict.
 */
export const inserts = async (query: Query<InsertResult>): Promise<boolean> =>
  ((await query.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;

/** Returns whether the statement updated at least one row. */
export const updates = async (query: Query<UpdateResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numUpdatedRows > 0n;

/** Returns whether the statement deleted at least one row. */
export const deletes = async (query: Query<DeleteResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numDeletedRows > 0n;

/** Returns whether the query found at least one row. */
export const hasRow = async (query: Query<object | undefined>): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

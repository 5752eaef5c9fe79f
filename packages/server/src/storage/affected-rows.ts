import type { DeleteResult, InsertResult, UpdateResult } from 'kysely';

interface Query<Result> {
  readonly executeTakeFirst: () => Promise<Result>;
}

/**
 * Runs a statement and returns true if it inserted a row. A statement with `on conflict do nothing` inserts no row if
 * there is a conflict.
 */
export const inserts = async (query: Query<InsertResult>): Promise<boolean> =>
  ((await query.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;

/** Runs a statement and returns true if it updated at least one row. */
export const updates = async (query: Query<UpdateResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numUpdatedRows > 0n;

/** Runs a statement and returns true if it deleted at least one row. */
export const deletes = async (query: Query<DeleteResult>): Promise<boolean> =>
  (await query.executeTakeFirst()).numDeletedRows > 0n;

/** Runs a query and returns true if it found a row. */
export const hasRow = async (query: Query<object | undefined>): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

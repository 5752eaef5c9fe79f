import type { MigrationDatabase } from './owned-table.js';

/**
 * Adds columns: the time since when an account has secrets that are not tested, with which neither a test nor a call has
 * succeeded, and the two objects that a failed request named.
 */
export async function addColumns(database: MigrationDatabase): Promise<void> {
  await database.schema.alterTable('accounts').addColumn('untested_since', 'bigint').execute();
  for (const column of ['object', 'other_object'])
    await database.schema.alterTable('failed_requests').addColumn(column, 'text').execute();
}

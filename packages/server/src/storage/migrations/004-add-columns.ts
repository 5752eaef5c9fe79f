import type { MigrationDatabase } from './owned-table.js';

/**
 * Adds the time since when an account has secrets that no test and no call has confirmed, and the two objects that a
 * failed request named.
 */
export async function addColumns(database: MigrationDatabase): Promise<void> {
  await database.schema.alterTable('accounts').addColumn('untested_since', 'bigint').execute();
  for (const column of ['object', 'other_object'])
    await database.schema.alterTable('failed_requests').addColumn(column, 'text').execute();
}

import type { Migrating } from './owned.js';

/** What instances hold (see postgres.ts). Always empty for everybody but the holder. */
export async function createHeldNames(database: Migrating): Promise<void> {
  await database.schema
    .createTable('held_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
}

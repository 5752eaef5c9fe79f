import type { Migrating } from '../first-tables/owned.js';

/** Operators of before could do everything, and so can those whom the version before makes meanwhile. */
export async function giveOperatorsRoles(database: Migrating): Promise<void> {
  await database.schema
    .alterTable('operators')
    .addColumn('role', 'text', (column) => column.notNull().defaultTo('owner'))
    .execute();
  await database.schema.alterTable('operators').addColumn('signed_in_at', 'bigint').execute();
}

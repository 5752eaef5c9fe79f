import { createIndexes, createOwnedTable, type MigrationDatabase } from '../owned-table.js';

/** Creates the table of users whom calls, tokens and grants named. They may have no connected account. */
export async function createNamedUsers(database: MigrationDatabase): Promise<void> {
  await createOwnedTable(database, 'named_users')
    .addColumn('identifier', 'text', (column) => column.notNull())
    .addColumn('identifier_key', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('named_users_owner', ['application_id', 'identifier'])
    .execute();
  await createIndexes(database, 'named_users', { named_users_oldest: ['seen_at'] });
}

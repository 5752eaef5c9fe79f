import type { Migrating } from '../first-tables/owned.js';

/** Passkeys of operators, and the challenges that were answered: each is answered once. */
export async function createPasskeys(database: Migrating): Promise<void> {
  await database.schema
    .createTable('operator_passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await database.schema
    .createIndex('operator_passkeys_operator')
    .on('operator_passkeys')
    .columns(['operator_id', 'created_at', 'id'])
    .execute();
  await database.schema
    .createTable('answered_challenges')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('answered_challenges_expiry')
    .on('answered_challenges')
    .column('expires_at')
    .execute();
}

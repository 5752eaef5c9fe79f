import { createIndexes, type MigrationDatabase } from '../owned-table.js';

async function createSignInLinks(database: MigrationDatabase): Promise<void> {
  const table = 'operator_sign_in_links';
  await database.schema
    .createTable(table)
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndexes(database, table, {
    [`${table}_expiry`]: ['expires_at'],
    [`${table}_operator`]: ['operator_id'],
  });
}

async function createPasskeys(database: MigrationDatabase): Promise<void> {
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
  await createIndexes(database, 'operator_passkeys', {
    operator_passkeys_operator: ['operator_id', 'created_at', 'id'],
  });
  await database.schema
    .createTable('used_challenges')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await createIndexes(database, 'used_challenges', { used_challenges_expiry: ['expires_at'] });
}

export async function createOperators(database: MigrationDatabase): Promise<void> {
  await database.schema
    .createTable('operators')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('signed_in_at', 'bigint')
    .execute();
  await database.schema
    .createTable('operator_sessions')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('signed_in_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  await createSignInLinks(database);
  await createPasskeys(database);
}

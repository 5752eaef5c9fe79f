import type { Migrating } from './owned.js';

export async function createOperators(database: Migrating): Promise<void> {
  await database.schema
    .createTable('operators')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema
    .createTable('operator_sessions')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
}

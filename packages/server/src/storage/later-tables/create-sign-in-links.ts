import type { Migrating } from '../first-tables/owned.js';

const TABLE = 'operator_sign_in_links';

/** Links that sign an operator in once, and how a session began. */
export async function createSignInLinks(database: Migrating): Promise<void> {
  await database.schema
    .createTable(TABLE)
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) =>
      column.notNull().references('operators.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex(`${TABLE}_expiry`).on(TABLE).column('expires_at').execute();
  await database.schema.createIndex(`${TABLE}_operator`).on(TABLE).column('operator_id').execute();
  await database.schema
    .alterTable('operator_sessions')
    .addColumn('signed_in_by', 'text', (column) => column.notNull().defaultTo('password'))
    .execute();
}

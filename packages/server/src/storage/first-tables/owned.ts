import type { Kysely } from 'kysely';

export type Migrating = Kysely<unknown>;

/** A table with the columns that every one of our tables with an owner has. */
export function owned(database: Migrating, name: string) {
  return database.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    );
}

import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/**
 * Database type for migrations. Its tables are untyped, because later versions of the code change the type `Schema`.
 */
export type MigrationDatabase = Kysely<unknown>;

/** Starts the definition of a table whose rows belong to an application and are deleted together with it. */
export const createOwnedTable = (database: MigrationDatabase, name: string) =>
  database.schema
    .createTable(name)
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    );

export const createOwnedTableWithId = (database: MigrationDatabase, name: string) =>
  createOwnedTable(database, name).addColumn('id', 'text', (column) => column.primaryKey());

/**
 * Adds a foreign key with `on delete cascade` that references a row of the same application. The key includes the
 * application id, so that a row cannot refer to a row of another application.
 */
export function belongingTo<Column extends string>(owner: string, column: Column, constraint: string) {
  return <Table extends string, Columns extends string>(
    table: CreateTableBuilder<Table, Columns | Column | 'application_id'>,
  ) =>
    table.addForeignKeyConstraint(
      constraint,
      ['application_id', column],
      owner,
      ['application_id', 'id'],
      (key) => key.onDelete('cascade'),
    );
}

/** Creates the indexes of a table. `indexes` maps the name of each index to its columns. */
export async function createIndexes(
  database: MigrationDatabase,
  table: string,
  indexes: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [name, columns] of Object.entries(indexes))
    await database.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute();
}

/**
 * PostgreSQL storage parameters for tables that delete their oldest rows while new rows arrive. By default, vacuum
 * starts only when a fifth of the rows is dead. For executions, that would be the rows of several days.
 */
export const VACUUM_OFTEN = sql`with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000)`;

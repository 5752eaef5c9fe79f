import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/** A database as migrations see it: its tables are not the ones that the code of today knows. */
export type MigrationDatabase = Kysely<unknown>;

/** A table whose rows belong to an application and are deleted with it. */
export const createOwnedTable = (database: MigrationDatabase, name: string) =>
  database.schema
    .createTable(name)
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    );

export const createOwnedTableWithId = (database: MigrationDatabase, name: string) =>
  createOwnedTable(database, name).addColumn('id', 'text', (column) => column.primaryKey());

/**
 * Foreign key to a row of the same application, which deletes this one when it is deleted. The pair of columns keeps a row
 * from belonging to another application's.
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

/** Creates indexes by their names. */
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
 * Storage parameters of PostgreSQL for tables that lose rows at one end while they get rows at the other. By default a fifth
 * of the table is dead before a vacuum starts, which is days of executions.
 */
export const VACUUM_OFTEN = sql`with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000)`;

import { sql } from 'kysely';
import type { Migrating } from '../first-tables/owned.js';
import type { DialectKind } from '../open-dialect.js';

/** Calls are counted by the first of these that they were not longer than; the last one counts what was longer, too. */
export const LATENCY_BOUNDS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 600_000,
] as const;

const STORY = ['attempts', 'refreshed', 'upstream_ms', 'waited_ms'];

async function executionTables(database: Migrating, kind: DialectKind): Promise<readonly string[]> {
  if (kind === 'postgres') return ['executions'];
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'
    and name in ('executions', 'executions_of_before')`.execute(database);
  return rows.map(({ name }) => name);
}

/** What operators are told beyond what calls need: how a call went, what calls of a while came to, and when an account was used. */
export async function tellOperators(database: Migrating, kind: DialectKind): Promise<void> {
  for (const table of await executionTables(database, kind))
    for (const column of STORY)
      await database.schema.alterTable(table).addColumn(column, 'integer').execute();
  await database.schema.alterTable('accounts').addColumn('used_at', 'bigint').execute();
  let table = database.schema
    .createTable('execution_statistics')
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('connection_name', 'text', (column) => column.notNull());
  for (const name of ['calls', 'errors', ...LATENCY_BOUNDS_MS.map((bound) => `ms${bound}`)])
    table = table.addColumn(name, 'integer', (column) => column.notNull());
  await table
    .addPrimaryKeyConstraint('execution_statistics_owner', ['application_id', 'at', 'connection_name'])
    .execute();
  await database.schema
    .createIndex('execution_statistics_oldest')
    .on('execution_statistics')
    .column('at')
    .execute();
}

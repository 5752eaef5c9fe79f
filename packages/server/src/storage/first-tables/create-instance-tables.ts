import { sql } from 'kysely';
import type { MigrationDatabase } from './owned-table.js';

/** Tables for instances that share a PostgreSQL. SQLite has one process, which keeps the same in its memory. */
export async function createInstanceTables(database: MigrationDatabase): Promise<void> {
  // A name is locked by a row that is never committed (row-lock.ts): every reader but its holder sees an empty table.
  await database.schema
    .createTable('held_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  // Limits of rule A9 that instances keep together. Unlogged, so that no call waits for the disk: after a crash of the
  // database every bucket is full.
  await sql`create unlogged table rate_buckets (
    key text primary key,
    full_at double precision not null,
    granted double precision not null
  ) with (fillfactor = 50)`.execute(database);
  await sql`create unlogged table rate_instances (
    id text primary key,
    seen_at double precision not null
  )`.execute(database);
}

import { sql } from 'kysely';
import type { MigrationDatabase } from '../owned-table.js';

/**
 * Creates the tables for instances that share a PostgreSQL database. SQLite does not need them, because a single
 * process uses it and keeps this data in memory.
 */
export async function createInstanceTables(database: MigrationDatabase): Promise<void> {
  // Creates the table whose rows are locks: an uncommitted row locks its name (row-lock.ts). All other transactions see
  // an empty table.
  await database.schema
    .createTable('held_names')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  // Creates the token buckets for rate limits that all instances share (rule A9 in security-rules.md). The table is
  // unlogged, so that no call waits for the disk. After a crash of the database, every bucket is full again.
  await sql`create unlogged table rate_buckets (
    key text primary key,
    full_at double precision not null,
    granted double precision not null
  ) with (fillfactor = 50)`.execute(database);
  // Creates the table of running instances, with their reports about their own health.
  await sql`create unlogged table instances (
    id text primary key,
    seen_at double precision not null,
    report text not null
  ) with (fillfactor = 50)`.execute(database);
}

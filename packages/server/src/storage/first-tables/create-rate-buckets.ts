import { sql } from 'kysely';
import type { Migrating } from './owned.js';

/**
 * What instances share to keep the limits of rule A9 together, on PostgreSQL alone. Not logged: after a crash of the database
 * everybody has a full bucket, and until then no call waits for the disk.
 */
export async function createRateBuckets(database: Migrating): Promise<void> {
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

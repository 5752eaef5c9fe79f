import { sql } from 'kysely';
import type { Migrating } from '../first-tables/owned.js';

/**
 * Of a table from whose one end rows go while they come at the other, a fifth would be dead before PostgreSQL looked: days of
 * executions. Nobody waits for the lock of this change but a vacuum.
 */
export async function vacuumOften(database: Migrating): Promise<void> {
  for (const table of ['executions', 'audit_events'])
    await sql
      .raw(
        `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000)`,
      )
      .execute(database);
}

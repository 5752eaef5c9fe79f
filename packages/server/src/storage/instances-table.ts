import { sql } from 'kysely';
import type { Database } from './schema.js';

/** Instance of the service, with its last status report as JSON. */
export interface StoredInstance {
  readonly id: string;
  readonly report: string;
}

// Time in milliseconds after its last heartbeat from which an instance no longer shares the rate limits.
const SHARES_MS = 5000;
// Time in milliseconds after its last heartbeat from which the status report of an instance is out of date.
const REPORTS_MS = 10_000;
// SQL expression for the time of the database's clock in milliseconds since 1970. It is used because all instances
// share the database.
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::double precision`;

/**
 * Queries of the running instances. The table exists only on PostgreSQL, because SQLite is used by one process only.
 */
export const instancesTable = (database: Database) => ({
  /**
   * Stores that this instance is alive, with its status report. Returns the number of instances with a heartbeat in the
   * last 5 s, because these share the rate limits.
   */
  heartbeat: async ({ id, report }: StoredInstance): Promise<number> => {
    await sql`insert into instances (id, seen_at, report) values (${id}, ${NOW}, ${report})
      on conflict (id) do update set seen_at = excluded.seen_at, report = excluded.report`.execute(database);
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count
      from instances where seen_at > ${NOW} - ${SHARES_MS}::integer`.execute(database);
    return rows[0]?.count ?? 1;
  },

  /** Lists the instances with a heartbeat in the last 10 s. */
  list: async (): Promise<readonly StoredInstance[]> => {
    const { rows } = await sql<StoredInstance>`select id, report from instances
      where seen_at > ${NOW} - ${REPORTS_MS}::integer`.execute(database);
    return rows;
  },

  /** Deletes an instance, because it stops. */
  delete: async (id: string): Promise<void> => {
    await sql`delete from instances where id = ${id}`.execute(database);
  },
});

export type Instances = ReturnType<typeof instancesTable>;

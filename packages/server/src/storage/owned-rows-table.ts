import { sql } from 'kysely';
import type { Database } from './schema.js';

/**
 * Tables in which an application can own many rows, with their primary key columns after `application_id`. When an
 * application is deleted, these rows are deleted in batches.
 */
const OWNED = [
  { table: 'executions', key: ['started_at', 'id'] },
  { table: 'execution_statistics', key: ['at', 'connection_name'] },
  { table: 'failed_requests', key: ['request_id'] },
  { table: 'named_users', key: ['identifier'] },
  { table: 'idempotency_keys', key: ['key_digest'] },
  { table: 'event_deliveries', key: ['id'] },
  { table: 'events', key: ['seq'] },
  { table: 'webhook_receipts', key: ['subscription_id', 'digest'] },
  { table: 'call_approvals', key: ['id'] },
  { table: 'watch_items', key: ['watch_id', 'item_key'] },
  { table: 'watches', key: ['id'] },
  { table: 'access_tokens', key: ['digest'] },
  { table: 'narrowed_token_calls', key: ['token_id', 'seal_digest'] },
  { table: 'narrowed_tokens', key: ['id'] },
  { table: 'agent_grant_calls', key: ['token_id', 'seal_digest'] },
  { table: 'agent_grants', key: ['id'] },
  { table: 'agent_sign_ins', key: ['id'] },
  { table: 'account_terms', key: ['account_id', 'term'] },
  { table: 'authorization_links', key: ['id'] },
  { table: 'authorization_flows', key: ['id'] },
] as const;

/** Queries that count and delete an application's rows in tables to which no other table refers. */
export const ownedRowsTable = (database: Database) => ({
  count: async (applicationId: string): Promise<number> => {
    let total = 0;
    for (const { table } of OWNED) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(table)} where application_id = ${applicationId}`.execute(
        database,
      );
      total += Number(rows[0]?.count ?? 0);
    }
    return total;
  },

  /**
   * Deletes at most `most` rows of the application in one short statement. Returns the number of deleted rows, which is
   * 0 if none are left.
   */
  deleteSome: async (applicationId: string, most: number): Promise<number> => {
    for (const { table, key } of OWNED) {
      const columns = sql.join(key.map((column) => sql.ref(column)));
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where application_id = ${applicationId} and (${columns}) in
        (select ${columns} from ${sql.table(table)} where application_id = ${applicationId} limit ${most})`.execute(
        database,
      );
      if (numAffectedRows > 0n) return Number(numAffectedRows);
    }
    return 0;
  },
});

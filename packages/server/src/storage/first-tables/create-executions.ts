import { sql } from 'kysely';
import { type Migrating, owned } from './owned.js';

export async function createExecutions(database: Migrating): Promise<void> {
  await owned(database, 'executions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('connection_name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('tool_name', 'text')
    .addColumn('method', 'text')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('error_code', 'text')
    .addColumn('upstream_status', 'integer')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('executions_newest')
    .on('executions')
    .columns(['application_id', sql`started_at desc`, sql`id desc`])
    .execute();
}

export async function createIdempotencyKeys(database: Migrating): Promise<void> {
  await database.schema
    .createTable('idempotency_keys')
    .addColumn('application_id', 'text', (column) =>
      column.notNull().references('applications.id').onDelete('cascade'),
    )
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_owner', ['application_id', 'key_digest'])
    .execute();
  await database.schema
    .createIndex('idempotency_keys_expiry')
    .on('idempotency_keys')
    .column('expires_at')
    .execute();
}

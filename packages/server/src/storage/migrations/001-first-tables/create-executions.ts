import { sql } from 'kysely';
import type { DialectKind } from '../../dialect.js';
import { LATENCY_BOUNDS_MS } from '../../schema.js';
import {
  belongingTo,
  createIndexes,
  createOwnedTable,
  type MigrationDatabase,
  VACUUM_OFTEN,
} from '../owned-table.js';

/**
 * Creates the table of executions. On SQLite, rows are stored in the order in which they are read (WITHOUT ROWID),
 * which halves both disk space and work. PostgreSQL has no such tables.
 */
export async function createExecutions(database: MigrationDatabase, kind: DialectKind): Promise<void> {
  const table = createOwnedTable(database, 'executions')
    .addColumn('id', 'text', (column) => (kind === 'sqlite' ? column.notNull() : column.primaryKey()))
    .addColumn('account_id', 'text')
    .addColumn('connection_name', 'text', (column) => column.notNull())
    .addColumn('identifier', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('tool_name', 'text')
    .addColumn('method', 'text')
    .addColumn('path', 'text')
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('error_code', 'text')
    .addColumn('upstream_status', 'integer')
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('trace_id', 'text')
    .addColumn('service_version', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer')
    .addColumn('refreshed', 'integer')
    .addColumn('upstream_ms', 'integer')
    .addColumn('waited_ms', 'integer')
    .addColumn('paused_ms', 'integer')
    .addColumn('count', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('cause', 'text')
    .addColumn('requests', 'text');
  if (kind === 'sqlite') {
    await table
      .addPrimaryKeyConstraint('executions_newest', ['application_id', 'started_at', 'id'])
      .modifyEnd(sql`without rowid`)
      .execute();
    return;
  }
  await table.modifyEnd(VACUUM_OFTEN).execute();
  await database.schema
    .createIndex('executions_newest')
    .on('executions')
    .columns(['application_id', sql`started_at desc`, sql`id desc`])
    .execute();
}

export async function createExecutionStatistics(database: MigrationDatabase): Promise<void> {
  let table = createOwnedTable(database, 'execution_statistics')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('connection_name', 'text', (column) => column.notNull());
  for (const name of ['calls', 'errors', ...LATENCY_BOUNDS_MS.map((bound) => `ms${bound}`)])
    table = table.addColumn(name, 'integer', (column) => column.notNull());
  await table
    .addPrimaryKeyConstraint('execution_statistics_owner', ['application_id', 'at', 'connection_name'])
    .execute();
  await createIndexes(database, 'execution_statistics', { execution_statistics_oldest: ['at'] });
}

/**
 * Creates the table of idempotency keys with their stored responses. A stored response is deleted together with its
 * account or connection.
 */
export async function createIdempotencyKeys(database: MigrationDatabase): Promise<void> {
  await createOwnedTable(database, 'idempotency_keys')
    .addColumn('key_digest', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('response', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('connection_id', 'text')
    .addPrimaryKeyConstraint('idempotency_keys_owner', ['application_id', 'key_digest'])
    .$call(belongingTo('accounts', 'account_id', 'idempotency_keys_accounts'))
    .$call(belongingTo('connections', 'connection_id', 'idempotency_keys_connections'))
    .execute();
  await createIndexes(database, 'idempotency_keys', { idempotency_keys_expiry: ['expires_at'] });
}
